import chatEn from '@/features/chat/locales/en.json'
import chatKo from '@/features/chat/locales/ko.json'
import commandsEn from '@/features/commands/locales/en.json'
import commandsKo from '@/features/commands/locales/ko.json'
import evaluationsEn from '@/features/evaluations/locales/en.json'
import evaluationsKo from '@/features/evaluations/locales/ko.json'
import notesEn from '@/features/notes/locales/en.json'
import notesKo from '@/features/notes/locales/ko.json'
import playgroundEn from '@/features/playground/locales/en.json'
import playgroundKo from '@/features/playground/locales/ko.json'
import qualityEn from '@/features/quality/locales/en.json'
import qualityKo from '@/features/quality/locales/ko.json'
import runsEn from '@/features/runs/locales/en.json'
import runsKo from '@/features/runs/locales/ko.json'
import settingsEn from '@/features/settings/locales/en.json'
import settingsKo from '@/features/settings/locales/ko.json'
import systemEn from '@/features/system/locales/en.json'
import systemKo from '@/features/system/locales/ko.json'

import { sharedStrings } from './sharedStrings'

/** The strings of all namespaces, for types and tests: imported by the app, all of them would be in
 * its first load. Korean is the one that keys are checked against. A feature's namespace is named as
 * its folder. */
const ko = {
  ...sharedStrings.ko,
  chat: chatKo,
  commands: commandsKo,
  notes: notesKo,
  quality: qualityKo,
  evaluations: evaluationsKo,
  runs: runsKo,
  playground: playgroundKo,
  settings: settingsKo,
  system: systemKo,
}

export type Strings = typeof ko

const en: Strings = {
  ...sharedStrings.en,
  chat: chatEn,
  commands: commandsEn,
  notes: notesEn,
  quality: qualityEn,
  evaluations: evaluationsEn,
  runs: runsEn,
  playground: playgroundEn,
  settings: settingsEn,
  system: systemEn,
}

export const strings = { ko, en }
