import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Dialog, DialogClose, DialogContent, DialogTrigger, Input } from '@/components/ui'

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
export function ViewNameDialog({ trigger, title, description, name = '', ...rest }: Props) {
  const { request, onSubmit } = rest
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        request.reset()
      }}
    >
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent title={title} description={description}>
        <NameForm
          name={name}
          request={request}
          onSubmit={(written) => onSubmit(written, () => setOpen(false))}
        />
      </DialogContent>
    </Dialog>
  )
}

type FormProps = Required<Pick<Props, 'name' | 'request'>> & { onSubmit: (name: string) => void }

function NameForm({ name, request, onSubmit }: FormProps) {
  const { t } = useTranslation(['evaluations', 'common'])
  const [text, setText] = useState(name)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(text.trim())
      }}
    >
      <Input
        label={t('views.name')}
        value={text}
        maxLength={MAX_NAME_CHARS}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      {Boolean(request.error) && <ErrorState error={request.error} />}
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button variant="outline">{t('common:cancel')}</Button>
        </DialogClose>
        <Button type="submit" disabled={request.isPending || text.trim() === ''}>
          {t('common:save')}
        </Button>
      </div>
    </form>
  )
}
