import { LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Says aloud that something is loading. */
export function Spinner({ label }: { label?: string }) {
  const { t } = useTranslation()
  return (
    <span
      data-loading
      role="status"
      className="text-muted-foreground inline-flex items-center gap-2 text-sm"
    >
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {label ?? t('loading')}
    </span>
  )
}
