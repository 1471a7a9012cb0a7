import { ClipboardCheck, ClipboardX } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'

/** Whether the answer passes the checklist, and how many of its items it meets. */
export function QualityBadge({ quality }: { quality: Schema<'QualitySummary'> }) {
  const { t } = useTranslation('ai')
  const { passed, met, items, source } = quality
  const byRules = source === 'rules'
  const [good, bad] = byRules
    ? (['outline', 'outline'] as const)
    : (['success', 'warning'] as const)
  const Icon = passed ? ClipboardCheck : ClipboardX
  return (
    <Badge variant={passed ? good : bad}>
      <Icon aria-hidden />
      {t(`checklistIs.${source}.${passed ? 'passed' : 'failed'}`, { met, items })}
    </Badge>
  )
}

/** The checklist in short. */
export function summaryOf(quality: Schema<'QualityResultView'>): Schema<'QualitySummary'> {
  const { passed, items, source } = quality
  return { passed, source, items: items.length, met: items.filter((item) => item.passed).length }
}
