import { Cpu, OctagonAlert, Ruler, ShieldCheck, TriangleAlert, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import { badgeLook, type Found } from '@/lib/badgeLook'
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
  found: Found
  voice: Voice
}

/** How far the answer can be trusted. Only a model that reads speaks of confidence, on a filled
 * badge; what rules and detectors find has words of its own. */
export function ConfidenceBadge({ found, voice }: Props) {
  const { t } = useTranslation('ai')
  const { variant, icon } = badgeLook(found, voice)
  const Icon = ICONS[icon]
  return (
    <Badge variant={variant} className={voice === 'degraded' ? 'border-dashed' : ''}>
      <Icon aria-hidden />
      {t(findingBy(voice, found))}
    </Badge>
  )
}
