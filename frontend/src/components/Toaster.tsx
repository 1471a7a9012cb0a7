import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { cn } from '@/lib/cn'
import { dismissToast, useToasts } from '@/lib/toast'

const LOOKS = {
  info: 'bg-foreground text-background',
  success: 'bg-success-soft text-success-foreground',
  error: 'bg-danger-soft text-danger-foreground',
}

/** Always in the page: a live region speaks only of what is added to it. */
export function Toaster() {
  const { t } = useTranslation()
  return (
    <div
      role="log"
      aria-live="polite"
      aria-label={t('messages')}
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-end gap-2"
    >
      {useToasts().map(({ id, text, kind }) => (
        <div
          key={id}
          className={cn(
            'pointer-events-auto flex max-w-md items-center gap-2 rounded-md py-1 pl-4 text-sm shadow-lg',
            LOOKS[kind],
          )}
        >
          {text}
          <Button
            variant="ghost"
            size="icon"
            className="not-disabled:hover:bg-transparent"
            aria-label={t('close')}
            onClick={() => dismissToast(id)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  )
}
