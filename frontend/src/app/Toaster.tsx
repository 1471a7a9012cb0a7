import { useTranslation } from 'react-i18next'
import { Toaster as Sonner } from 'sonner'

const LOOKS = {
  toast: 'flex w-full items-center gap-2 rounded-md py-3 pr-3 pl-4 text-sm shadow-lg',
  content: 'flex-1',
  info: 'bg-foreground text-background',
  success: 'bg-success-soft text-success-foreground',
  error: 'bg-danger-soft text-danger-foreground',
  closeButton: 'order-last grid size-8 shrink-0 place-items-center',
}

/** Always in the page: a live region speaks only of what is added to it. */
export default function Toaster() {
  const { t } = useTranslation()
  return (
    <Sonner
      containerAriaLabel={t('messages')}
      closeButton
      // Below the header, where no page or dialog has its buttons.
      position="top-center"
      offset={64}
      mobileOffset={64}
      icons={{ info: null, success: null, error: null }}
      toastOptions={{ unstyled: true, closeButtonAriaLabel: t('close'), classNames: LOOKS }}
    />
  )
}
