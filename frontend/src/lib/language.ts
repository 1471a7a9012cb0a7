import i18n from 'i18next'

import { LANGUAGES, type Language } from './languages'

export { LANGUAGES, type Language }

/** Each in itself. */
export const LANGUAGE_NAMES = { ko: '한국어', en: 'English' } as const

const KEY = 'searchqa.language'

function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text)
}

/** What the reader chose, else the first of ours that the browser asks for, else Korean. */
export function initialLanguage(): Language {
  const chosen = localStorage.getItem(KEY)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'ko'
}

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language)
  await i18n.changeLanguage(language)
}

/** The language of the pages and of questions. */
export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : 'ko'
}

/** The same with the reader's region, where the browser asks for that language: how numbers and times
 * are written. */
export function currentLocale(): string {
  const language = currentLanguage()
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

/** Whether a text is in the other language, and so only quoted. */
export function isQuoted(text: string): boolean {
  return /\p{Script=Hangul}/u.test(text) !== (currentLanguage() === 'ko')
}
