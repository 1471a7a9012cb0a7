import { OctagonAlert, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from './ui/badge'

const LOOKS = {
  high: { variant: 'success', Icon: ShieldCheck, text: 'qaConfidenceHigh' },
  medium: { variant: 'warning', Icon: TriangleAlert, text: 'qaConfidenceMedium' },
  low: { variant: 'danger', Icon: OctagonAlert, text: 'qaConfidenceLow' },
} as const

export type Confidence = keyof typeof LOOKS

export function ConfidenceBadge({ confidence }: { confidence: Confidence }) {
  const { t } = useTranslation('ai')
  const { variant, Icon, text } = LOOKS[confidence]
  return (
    <Badge variant={variant}>
      <Icon aria-hidden />
      {t(text)}
    </Badge>
  )
}
