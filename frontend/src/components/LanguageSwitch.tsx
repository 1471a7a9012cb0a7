import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { changeLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/lib/language'

// For the header of a phone.
const SHORT_NAMES = { ko: '한', en: 'EN' } as const

export function LanguageSwitch() {
  const { t, i18n } = useTranslation()
  return (
    <div role="group" aria-label={t('language')} className="flex gap-1">
      {LANGUAGES.map((language) => (
        <Button
          key={language}
          variant="ghost"
          size="sm"
          lang={language}
          pressed={i18n.language === language}
          className="max-sm:px-2"
          onClick={() => void changeLanguage(language)}
        >
          <span aria-hidden className="sm:hidden">
            {SHORT_NAMES[language]}
          </span>
          <span className="max-sm:sr-only">{LANGUAGE_NAMES[language]}</span>
        </Button>
      ))}
    </div>
  )
}
