import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { RequestForm } from '@/components/page'
import { Input, TriggeredDialog } from '@/components/ui'

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
    <RequestForm
      request={request}
      action={t('common:save')}
      disabled={text.trim() === ''}
      onSubmit={() => onSubmit(text.trim())}
    >
      <Input
        label={t('views.name')}
        value={text}
        maxLength={MAX_NAME_CHARS}
        autoComplete="off"
        onValue={setText}
      />
    </RequestForm>
  )
}
