import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { changeTheme, THEMES, useTheme } from '@/lib/theme'

const ICONS = { system: Monitor, light: Sun, dark: Moon }

/** An icon, for want of room on phones, with the browser's own list of choices over it. */
export function ThemeSwitch() {
  const { t } = useTranslation()
  const theme = useTheme()
  const Icon = ICONS[theme]
  return (
    <div className="hover:bg-muted has-focus-visible:outline-ring relative grid size-10 shrink-0 place-items-center rounded-md outline-offset-2 has-focus-visible:outline-2">
      <Icon aria-hidden className="size-4" />
      <select
        aria-label={t('theme.label')}
        title={t('theme.label')}
        className="absolute inset-0 cursor-pointer opacity-0"
        value={theme}
        onChange={({ target }) =>
          changeTheme(THEMES.find((each) => each === target.value) ?? 'system')
        }
      >
        {THEMES.map((each) => (
          <option key={each} value={each} className="bg-card text-foreground">
            {t(`theme.${each}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
