import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'

/** Whether a difference is more than chance, and its direction. */
export function Outcome({
  of: { significant, difference },
}: {
  of: { significant: boolean; difference: number }
}) {
  const { t } = useTranslation('runs')
  if (!significant)
    return (
      <Badge>
        <Minus aria-hidden />
        {t('compare.same')}
      </Badge>
    )
  const better = difference > 0
  const Icon = better ? TrendingUp : TrendingDown
  return (
    <Badge variant={better ? 'success' : 'danger'}>
      <Icon aria-hidden />
      {t(better ? 'compare.better' : 'compare.worse')}
    </Badge>
  )
}
