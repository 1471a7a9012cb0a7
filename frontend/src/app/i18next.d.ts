import 'i18next'

import type { Strings } from './strings'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Strings
  }
}
