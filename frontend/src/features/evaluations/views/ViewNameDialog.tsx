import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { DialogActions, Form, Input, TriggeredDialog } from '@/components/ui'

const MAX_NAME_CHARS = 100

interface Props {
  /** The button that opens it. */
  trigger: ReactNode
  title: string
  description: string
  name?: string
  request: { error: unknown; isPending: boolean; reset: () => void }
  onSubmit: (name: string, close: () => void) => void
}

/** Asks for the name of a view. */
export function ViewNameDialog({ name = '', request, onSubmit, ...rest }: Props) {
  return (
    <TriggeredDialog {...rest} onOpenChange={request.reset}>
      {(close) => (
        <NameForm name={name} request={request} onSubmit={(written) => onSubmit(written, close)} />
      )}
    </TriggeredDialog>
  )
}

type FormProps = Required<Pick<Props, 'name' | 'request'>> & { onSubmit: (name: string) => void }

function NameForm({ name, request, onSubmit }: FormProps) {
  const { t } = useTranslation(['evaluations', 'common'])
  const [text, setText] = useState(name)
  return (
    <Form className="grid gap-4" onSubmit={() => onSubmit(text.trim())}>
      <Input
        label={t('views.name')}
        value={text}
        maxLength={MAX_NAME_CHARS}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      {Boolean(request.error) && <ErrorState error={request.error} />}
      <DialogActions disabled={request.isPending || text.trim() === ''}>
        {t('common:save')}
      </DialogActions>
    </Form>
  )
}
