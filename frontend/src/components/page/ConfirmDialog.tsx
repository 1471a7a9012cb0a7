import type { ReactNode } from 'react'

import { Button, DialogActions, TriggeredDialog } from '@/components/ui'
import { toast } from '@/lib/toast'

import { ErrorState } from './ErrorState'

interface Props<Input> {
  /** The button that opens it, or the name of a small one that says what the action is. */
  trigger: ReactNode
  title: string
  description: string
  /** What the button that does it says. */
  action: string
  request: {
    mutate: (input: Input, options: { onSuccess: () => void }) => void
    error: unknown
    isPending: boolean
    reset: () => void
  }
  input: Input
  /** What is said once it is done. */
  done: string
  onDone?: () => void
  /** What may be chosen. */
  children?: ReactNode
}

/** Asks before something that cannot be undone, and shows why it could not be done. */
export function ConfirmDialog<Input>(props: Props<Input>) {
  const { trigger, action, request, input, done, onDone, children, ...rest } = props
  const send = (close: () => void) =>
    request.mutate(input, {
      onSuccess: () => {
        close()
        toast(done, 'success')
        onDone?.()
      },
    })
  return (
    <TriggeredDialog
      {...rest}
      trigger={
        typeof trigger === 'string' ? (
          <Button size="sm" aria-label={trigger}>
            {action}
          </Button>
        ) : (
          trigger
        )
      }
      onOpenChange={request.reset}
    >
      {(close) => (
        <div className="grid gap-4">
          {children}
          {Boolean(request.error) && <ErrorState error={request.error} />}
          <DialogActions
            type="button"
            variant="danger"
            disabled={request.isPending}
            onClick={() => send(close)}
          >
            {action}
          </DialogActions>
        </div>
      )}
    </TriggeredDialog>
  )
}
