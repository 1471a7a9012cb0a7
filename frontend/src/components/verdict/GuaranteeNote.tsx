import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { guaranteeLine } from '@/lib/guarantee'

interface Props {
  evaluation: Schema<'SearchQAEvaluationView'>
}

/** What people's labels promise of such a verdict, and the chance that they find it right. */
export function GuaranteeNote({ evaluation: { guarantee, probability } }: Props) {
  const { t, i18n } = useTranslation('ai')
  const line = guaranteeLine(guarantee, i18n.language)
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' })
  return (
    <div className="text-muted-foreground grid gap-1 text-xs empty:hidden">
      {line && <p>{t(line.key, line.values)}</p>}
      {probability !== null && <p>{t('probability', { share: share.format(probability) })}</p>}
    </div>
  )
}
