import { useTranslation } from 'react-i18next'

import { useDataAge } from '@/lib/session'

/** How old lists and figures may be where a replica is read. */
export function DataAge() {
  const { t } = useTranslation('common')
  const seconds = useDataAge()
  if (seconds === null) return null
  return (
    <p className="text-muted-foreground border-border mt-8 border-t pt-2 text-sm">
      {t('dataAge', { seconds })}
    </p>
  )
}
