import { Cpu, OctagonAlert, Ruler, ShieldCheck, TriangleAlert, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import { badgeLook, type Confidence } from '@/lib/badgeLook'
import type { Voice } from '@/lib/judge'
import { findingBy } from '@/lib/statusLine'

const ICONS = {
  'shield-check': ShieldCheck,
  'triangle-alert': TriangleAlert,
  'octagon-alert': OctagonAlert,
  cpu: Cpu,
  ruler: Ruler,
  unplug: Unplug,
}

interface Props {
  confidence: Confidence
  voice: Voice
}

/** How far the answer can be trusted. Only a model that reads speaks of confidence, on a filled
 * badge; what rules and detectors find has words of its own, and never a green badge. */
export function ConfidenceBadge({ confidence, voice }: Props) {
  const { t } = useTranslation('ai')
  const { variant, icon } = badgeLook(confidence, voice)
  const Icon = ICONS[icon]
  return (
    <Badge
      variant={variant}
      className={voice === 'degraded' ? 'border-warning bg-warning-soft border-dashed' : ''}
    >
      <Icon aria-hidden />
      {t(findingBy(voice, confidence))}
    </Badge>
  )
}
