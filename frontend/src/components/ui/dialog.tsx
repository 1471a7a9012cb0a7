import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'

import { Button, IconButton } from './button'

export const DialogClose = Radix.Close

interface Props {
  title: string
  /** What the dialog is about, read out when it opens. */
  description?: string
  /** Moves the focus then, where it is not to go to the button that opened it. */
  onCloseAutoFocus?: (event: Event) => void
  /** For two columns. */
  wide?: boolean
  children?: ReactNode
}

function DialogContent({ title, description, onCloseAutoFocus, wide, children }: Props) {
  const { t } = useTranslation()
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
      <Radix.Content
        className={cn(
          'bg-card border-border fixed top-1/2 left-1/2 z-50 max-h-[90dvh] w-[calc(100%-2rem)] -translate-1/2 overflow-y-auto rounded-lg border p-section shadow-lg',
          wide ? 'max-w-6xl' : 'max-w-lg',
        )}
        {...(description === undefined && { 'aria-describedby': undefined })}
        {...(onCloseAutoFocus && { onCloseAutoFocus })}
      >
        <Radix.Title className="pr-10 text-lg font-semibold">{title}</Radix.Title>
        {description !== undefined && (
          <Radix.Description className="text-muted-foreground mt-1 text-sm">
            {description}
          </Radix.Description>
        )}
        <div className="mt-4">{children}</div>
        <Radix.Close asChild>
          <IconButton className="absolute top-3 right-3" label={t('close')} icon={X} />
        </Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  )
}

interface ShownProps extends Props {
  onClose: () => void
}

/** A dialog that is there for as long as the page says so. The focus returns to where it was. */
export function ShownDialog({ onClose, ...rest }: ShownProps) {
  const [opener] = useState(() => document.activeElement)
  const returnFocus = () => opener instanceof HTMLElement && opener.focus()
  return (
    <Radix.Root open onOpenChange={onClose}>
      <DialogContent onCloseAutoFocus={returnFocus} {...rest} />
    </Radix.Root>
  )
}

interface TriggeredProps extends Pick<Props, 'title' | 'description'> {
  /** The button that opens it, or the text of a small one, which the title names. */
  trigger: ReactNode
  onOpenChange?: () => void
  /** The content, which may close the dialog. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** A dialog with the button that opens it. */
export function TriggeredDialog({ trigger, onOpenChange, children, ...rest }: TriggeredProps) {
  const [open, setOpen] = useState(false)
  const change = (next: boolean) => {
    setOpen(next)
    onOpenChange?.()
  }
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>
        {typeof trigger === 'string' ? (
          <Button size="sm" aria-label={rest.title}>
            {trigger}
          </Button>
        ) : (
          trigger
        )}
      </Radix.Trigger>
      <DialogContent {...rest}>
        {typeof children === 'function' ? children(() => setOpen(false)) : children}
      </DialogContent>
    </Radix.Root>
  )
}

interface ActionsProps extends Pick<ComponentProps<'button'>, 'disabled' | 'type' | 'onClick'> {
  variant?: 'danger' | 'primary'
  children: ReactNode
}

/** The buttons below a dialog: one that cancels, and one with these properties that acts. */
export function DialogActions({ type = 'submit', variant = 'primary', ...rest }: ActionsProps) {
  const { t } = useTranslation()
  return (
    <div className="flex justify-end gap-2">
      <DialogClose asChild>
        <Button>{t('cancel')}</Button>
      </DialogClose>
      <Button {...{ type, variant, ...rest }} />
    </div>
  )
}
