import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui'

import { ErrorState } from './ErrorState'

interface Props {
  /** The button that opens it. */
  trigger: ReactNode
  title: string
  description: string
  /** What the button that does it says. */
  action: string
  request: { error: unknown; isPending: boolean; reset: () => void }
  onConfirm: (close: () => void) => void
  /** What may be chosen. */
  children?: ReactNode
}

/** Asks before something that cannot be undone, and shows why it could not be done. */
export function ConfirmDialog(props: Props) {
  const { trigger, title, description, action, request, onConfirm, children } = props
  const { t } = useTranslation('common')
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
        <div className="grid gap-4">
          {children}
          {Boolean(request.error) && <ErrorState error={request.error} />}
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button variant="outline">{t('cancel')}</Button>
            </DialogClose>
            <Button
              variant="danger"
              disabled={request.isPending}
              onClick={() => onConfirm(() => setOpen(false))}
            >
              {action}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
