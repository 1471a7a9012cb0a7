import sharedEn from '@/locales/en.json'
import sharedKo from '@/locales/ko.json'
import verdictEn from '@/locales/verdict/en.json'
import verdictKo from '@/locales/verdict/ko.json'

/** What every page may show; the strings of a feature are loaded with its pages. */
const ko = { ...sharedKo, ai: { ...sharedKo.ai, ...verdictKo } }
const en: typeof ko = { ...sharedEn, ai: { ...sharedEn.ai, ...verdictEn } }

export const sharedStrings = { ko, en }
