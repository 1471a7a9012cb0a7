import type { Schema } from './api'

type Guarantee = Schema<'GuaranteeView'>

interface Line {
  key: `guarantee.${Guarantee['state']}`
  values: Record<'precision' | 'confidence' | 'threshold' | 'labels' | 'date', string>
}

/** What people's labels promise of a verdict with high confidence; nothing without a guarantee. */
export function guaranteeLine(guarantee: Guarantee | null | undefined, language: string) {
  if (!guarantee) return null
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 })
  const line: Line = {
    key: `guarantee.${guarantee.state}`,
    values: {
      precision: number.format(100 * guarantee.precision),
      confidence: number.format(100 * guarantee.confidence),
      threshold: number.format(guarantee.threshold),
      labels: number.format(guarantee.labels),
      date: new Date(guarantee.calibrated_at).toLocaleDateString(language),
    },
  }
  return line
}
