import { Cpu, OctagonAlert, Ruler, ShieldCheck, TriangleAlert, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import { bylineKey, type Stated, stateKey, stateLook } from '@/lib/answerState'
import type { Voice } from '@/lib/judge'

const ICONS = {
  'shield-check': ShieldCheck,
  'triangle-alert': TriangleAlert,
  'octagon-alert': OctagonAlert,
  cpu: Cpu,
  ruler: Ruler,
  unplug: Unplug,
}

/** What a verdict says of its answer in one word; beside it a model's confidence, or who judged
 * instead of one. Only a model fills the badge. */
export function StateBadge({ verdict, voice }: { verdict: Stated; voice: Voice }) {
  const { t } = useTranslation('ai')
  const { variant, icon } = stateLook(verdict.state, voice)
  const byline = bylineKey(verdict, voice)
  const Icon = ICONS[icon]
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge
        variant={variant}
        className={voice === 'degraded' ? 'border-dashed' : 'whitespace-normal'}
      >
        <Icon aria-hidden />
        {t(stateKey(verdict))}
      </Badge>
      {byline && <span className="text-muted-foreground text-xs">{t(byline)}</span>}
    </span>
  )
}
