import i18n, { type BackendModule, type Namespace, type Resource, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'

import { initialLanguage } from '@/lib/language'

import { sharedStrings } from './sharedStrings'

const FILES = import.meta.glob<{ default: ResourceKey }>('../features/*/locales/*.json')

/** A feature's strings in one language, when they are first needed. */
const ofFeatures: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, feature, done) => {
    const load = FILES[`../features/${feature}/locales/${language}.json`]
    if (!load) throw new Error(`no strings of ${feature} in ${language}`)
    load().then(
      ({ default: strings }) => done(null, strings),
      (error: unknown) => done(error as Error, false),
    )
  },
}

/** Once, before anything is shown. Keeps <html lang> right, which the API is asked in, too. */
export function startI18n(resources: Resource = sharedStrings): void {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  void i18n
    .use(initReactI18next)
    .use(ofFeatures)
    .init({
      resources,
      partialBundledLanguages: true,
      lng: initialLanguage(),
      // Both languages have the same keys.
      fallbackLng: false,
      ns: Object.keys(sharedStrings.ko),
      defaultNS: 'common',
      initAsync: false,
      interpolation: { escapeValue: false },
    })
}

/** Loads the strings of a feature in the language that is shown; those of the other one follow when
 * the reader changes to it. Throws TypeError, as `import()` does, when they cannot be fetched. */
export async function loadStrings(feature: Namespace & string): Promise<void> {
  await i18n.loadNamespaces(feature)
  if (!i18n.hasResourceBundle(i18n.language, feature)) {
    throw new TypeError(`The strings of ${feature} could not be loaded.`)
  }
}
