import { useTranslation } from 'react-i18next'

import { useLabelSettings } from './label/useLabelSettings'

const ROWS = [
  ['j k', 'go'],
  ['Enter', 'open'],
  ['x', 'select'],
  ['Esc', 'clear'],
] as const

/** The keys of the list below it, where there is a keyboard to be expected. */
export function ListKeys() {
  const { t } = useTranslation('evaluations')
  const { settings } = useLabelSettings()
  if (!settings.keys) return null
  return (
    <p className="text-muted-foreground mt-2 hidden flex-wrap gap-x-4 text-xs sm:pointer-fine:flex">
      {ROWS.map(([key, meaning]) => (
        <span key={key}>
          <kbd className="font-mono">{key}</kbd> {t(`keys.${meaning}`)}
        </span>
      ))}
    </p>
  )
}
