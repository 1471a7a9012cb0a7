import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import type { Label } from '@/hooks/useFeedback'

import { LABEL_KEYS } from '../label/options'

interface Props {
  /** What is labelled, for screen readers. */
  name: string
  chosen: Label | null
  /** How many people said each. */
  counts?: Partial<Record<Label, number>>
  disabled?: boolean
  onChoose: (label: Label) => void
}

/** Right, partly, wrong. */
export function LabelButtons({ name, chosen, counts = {}, disabled = false, onChoose }: Props) {
  const { t } = useTranslation('evaluations')
  return (
    <div role="group" aria-label={name} className="flex flex-wrap gap-1">
      {LABEL_KEYS.map(({ value: label, Icon }) => (
        <Button
          key={label}
          size="sm"
          disabled={disabled}
          pressed={chosen === label}
          onClick={() => onChoose(label)}
          icon={Icon}
        >
          {t(`labels.${label}`)}
          {counts[label] ? ` ${counts[label]}` : ''}
        </Button>
      ))}
    </div>
  )
}
