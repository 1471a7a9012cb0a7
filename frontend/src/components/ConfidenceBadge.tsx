import { Cpu, OctagonAlert, Ruler, ShieldCheck, TriangleAlert, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { Voice } from '@/lib/judge'

import { Badge } from './ui/badge'

const LOOKS = {
  high: { variant: 'success', outline: 'outline', Icon: ShieldCheck, text: 'qaConfidenceHigh' },
  medium: {
    variant: 'warning',
    outline: 'outlineWarning',
    Icon: TriangleAlert,
    text: 'qaConfidenceMedium',
  },
  low: { variant: 'danger', outline: 'outlineDanger', Icon: OctagonAlert, text: 'qaConfidenceLow' },
} as const

const OTHER_ICONS = { local: Cpu, rules: Ruler, degraded: Unplug } as const

export type Confidence = keyof typeof LOOKS

interface Props {
  confidence: Confidence
  voice: Voice
}

/** How far the answer can be trusted. Only a model that reads speaks of confidence, on a filled
 * badge; what rules and detectors find has words of its own, and never a green badge. */
export function ConfidenceBadge({ confidence, voice }: Props) {
  const { t } = useTranslation('ai')
  const { variant, outline, Icon, text } = LOOKS[confidence]
  if (voice === 'model') {
    return (
      <Badge variant={variant}>
        <Icon aria-hidden />
        {t(text)}
      </Badge>
    )
  }
  const OtherIcon = OTHER_ICONS[voice]
  return (
    <Badge
      variant={outline}
      className={voice === 'degraded' ? 'border-warning bg-warning-soft border-dashed' : ''}
    >
      <OtherIcon aria-hidden />
      {t(`found.${voice}.${confidence}`)}
    </Badge>
  )
}
