import i18n from 'i18next'
import { initReactI18next } from 'react-i18next'

import { initialLanguage } from '@/lib/language'

import { strings } from './strings'

/** Once, before anything is shown. Keeps <html lang> right, which the API is asked in, too. */
export function startI18n(): void {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  void i18n.use(initReactI18next).init({
    resources: strings,
    lng: initialLanguage(),
    fallbackLng: 'ko',
    defaultNS: 'common',
    initAsync: false,
    interpolation: { escapeValue: false },
  })
}
