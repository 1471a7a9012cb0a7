import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { LANGUAGES } from '@/lib/language'
import { matches } from '@/lib/matches'

/** What is searched for among the settings, by the strings of both languages. */
export function useFinds() {
  const { i18n } = useTranslation('settings')
  const [text, setText] = useState('')
  const [, setLoaded] = useState(false)
  const textsOf = (key: string) =>
    LANGUAGES.map((language) => JSON.stringify(i18n.getResource(language, 'settings', key) ?? ''))
  return {
    text,
    setText,
    /** Loads the strings of the other language. */
    prepare: () => void i18n.loadLanguages([...LANGUAGES]).then(() => setLoaded(true)),
    /** Whether the strings below these keys, or the texts beside them, have all its words. */
    finds: (keys: readonly string[], ...texts: string[]) =>
      text.trim() === '' || matches(text.trim(), ...keys.flatMap(textsOf), texts.join(' ')),
  }
}
