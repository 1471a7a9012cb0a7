import { LANGUAGES, type Language } from '@/lib/languages'
import en from '@/locales/verdict/en.json'
import ko from '@/locales/verdict/ko.json'

import ownEn from './locales/en.json'
import ownKo from './locales/ko.json'

const STRINGS: Record<Language, Tree> = { ko: { ...ko, ...ownKo }, en: { ...en, ...ownEn } }

interface Tree {
  [key: string]: string | Tree
}

type Paths<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}`
}[keyof T & string]

/** `status.queued`, and so on. */
export type Key = Paths<typeof ko & typeof ownKo>
export type Translate = (key: Key, values?: Record<string, string>) => string

/** The strings of one language, most of which the pages share. */
export function translator(language: Language): Translate {
  return (key, values = {}) => {
    let found: string | Tree | undefined = STRINGS[language]
    for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined
    const text = typeof found === 'string' ? found : key
    return text.replace(/\{\{(\w+)\}\}/g, (blank, name: string) => values[name] ?? blank)
  }
}

/** The language of an element of a page: its own or an ancestor's `lang`, of the document at last;
 * else what the browser asks for; else Korean. */
export function languageOf(element: Element): Language {
  const written = element.closest('[lang]')?.getAttribute('lang')
  const wanted = written ? [written] : navigator.languages
  const known = (tag: string) => LANGUAGES.find((each) => each === tag.toLowerCase().split('-')[0])
  return wanted.map(known).find((each) => each !== undefined) ?? (written ? 'en' : 'ko')
}
