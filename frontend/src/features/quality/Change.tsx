import { ArrowDown, ArrowUp, Equal, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { formatsOf } from './values'

/** A mean or share of a period, 0 to 1; null without data. error: half of its 95 % interval, 0 for
 * a figure that is not an estimate; null where too few scores tell. */
export interface Figure {
  value: number | null
  error: number | null
}

// What the figures are shown with.
const SHOWN_STEP = 0.001

type Outcome = 'above' | 'below' | 'same' | 'tooFew' | 'none'

/** Whether a figure differs from the one before by more than chance would. */
export function compared(now: Figure, before: Figure): Outcome {
  if (before.value === null) return 'none'
  if (now.value === null || now.error === null || before.error === null) return 'tooFew'
  const difference = now.value - before.value
  const chance = Math.hypot(now.error, before.error)
  if (Math.abs(difference) <= Math.max(chance, SHOWN_STEP / 2)) return 'same'
  return difference > 0 ? 'above' : 'below'
}

const ICONS: Record<Outcome, LucideIcon | null> = {
  above: ArrowUp,
  below: ArrowDown,
  same: Equal,
  tooFew: null,
  none: null,
}

interface Props {
  now: Figure
  before: Figure
  /** Length of either period, in words. */
  days: string
}

/** A figure beside that of the period before, in words and a sign. */
export function Change({ now, before, days }: Props) {
  const { t, i18n } = useTranslation('quality')
  const { percent, points } = formatsOf(i18n.language)
  const outcome = compared(now, before)
  const Icon = ICONS[outcome]
  return (
    <span className="flex items-start gap-1">
      {Icon && <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />}
      <span>
        {t(`summary.${outcome}`, {
          days,
          value: percent(before.value ?? 0),
          by: points(Math.abs((now.value ?? 0) - (before.value ?? 0))),
        })}
      </span>
    </span>
  )
}
