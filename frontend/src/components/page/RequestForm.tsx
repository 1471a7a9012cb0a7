import type { ComponentProps } from 'react'

import { DialogActions, Form } from '@/components/ui'

import { ErrorState } from './ErrorState'

interface Props extends ComponentProps<typeof Form> {
  request: { error: unknown; isPending: boolean }
  /** What the button that sends it says. */
  action: string
  disabled?: boolean
}

/** The form of a dialog: its fields, why its request was refused, and the buttons. */
export function RequestForm({ request, action, disabled = false, children, ...form }: Props) {
  return (
    <Form className="grid gap-4" {...form}>
      {children}
      {Boolean(request.error) && <ErrorState error={request.error} />}
      <DialogActions disabled={disabled || request.isPending}>{action}</DialogActions>
    </Form>
  )
}
