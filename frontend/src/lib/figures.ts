import { currentLanguage } from './language'

type Maybe = number | null | undefined

const NOTHING = '–'

export function count(value: Maybe): string {
  return value == null ? NOTHING : new Intl.NumberFormat(currentLanguage()).format(value)
}

/** US dollars, to a hundredth of a cent. */
export function dollars(value: Maybe): string {
  if (value == null) return NOTHING
  return new Intl.NumberFormat(currentLanguage(), {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 4,
  }).format(value)
}

export function milliseconds(value: Maybe): string {
  return value == null ? NOTHING : `${count(Math.round(value))} ms`
}

export function moment(iso: string): string {
  return new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(iso))
}
