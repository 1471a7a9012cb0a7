import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { cn } from '@/lib/cn'
import { changeLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/lib/language'

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
          aria-pressed={i18n.language === language}
          className={cn(
            'max-sm:px-2',
            i18n.language === language && 'bg-accent text-accent-foreground',
          )}
          onClick={() => void changeLanguage(language)}
        >
          {LANGUAGE_NAMES[language]}
        </Button>
      ))}
    </div>
  )
}
