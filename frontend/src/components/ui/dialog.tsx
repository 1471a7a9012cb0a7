import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button'

export const Dialog = Radix.Root
export const DialogTrigger = Radix.Trigger
export const DialogClose = Radix.Close

interface Props {
  title: string
  /** What the dialog is about, read out when it opens. */
  description?: string
  /** Where the focus goes then; without it to the DialogTrigger. */
  onCloseAutoFocus?: (event: Event) => void
  children?: ReactNode
}

export function DialogContent({ title, description, onCloseAutoFocus, children }: Props) {
  const { t } = useTranslation()
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
      <Radix.Content
        className="bg-card border-border fixed top-1/2 left-1/2 z-50 max-h-[90dvh] w-[calc(100%-2rem)] max-w-lg -translate-1/2 overflow-y-auto rounded-lg border p-6 shadow-lg"
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
          <Button
            variant="ghost"
            size="icon"
            className="absolute top-3 right-3"
            aria-label={t('close')}
          >
            <X aria-hidden />
          </Button>
        </Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  )
}
