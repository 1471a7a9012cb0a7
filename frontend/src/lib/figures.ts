import { currentLocale } from './language'

type Maybe = number | null | undefined

const NOTHING = '–'

/** Writes numbers as the reader's locale does; a dash for none. Formats are kept: making one
 * takes longer than a chart needs for all its numbers. */
export function numbers(options: Intl.NumberFormatOptions = {}) {
  const formats: Record<string, Intl.NumberFormat> = {}
  return (value: Maybe): string => {
    if (value == null) return NOTHING
    const locale = currentLocale()
    return (formats[locale] ??= new Intl.NumberFormat(locale, options)).format(value)
  }
}

/** The same of moments, days among them. */
export function moments(options: Intl.DateTimeFormatOptions) {
  const formats: Record<string, Intl.DateTimeFormat> = {}
  return (iso: string): string => {
    const locale = currentLocale()
    return (formats[locale] ??= new Intl.DateTimeFormat(locale, options)).format(new Date(iso))
  }
}

const USD = { style: 'currency', currency: 'USD' } as const

/** With up to three decimals. */
export const count = numbers()
export const integer = numbers({ maximumFractionDigits: 0 })
export const twoDecimals = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
/** A share of 0 to 1, in whole percent. */
export const percent = numbers({ style: 'percent' })
export const percentTenths = numbers({ style: 'percent', maximumFractionDigits: 1 })
/** US dollars, to a hundredth of a cent. */
export const dollars = numbers({ ...USD, maximumFractionDigits: 4 })
/** US dollars with three significant digits. */
export const roundDollars = numbers({ ...USD, maximumSignificantDigits: 3 })

export function milliseconds(value: Maybe): string {
  return value == null ? NOTHING : `${count(Math.round(value))} ms`
}

export const moment = moments({ dateStyle: 'medium', timeStyle: 'short' })
export const date = moments({ dateStyle: 'medium' })
/** A day is no moment: it is the same wherever it is read. */
export const day = moments({ month: 'short', day: 'numeric', timeZone: 'UTC' })
export const localTime = (iso: string) => new Date(iso).toLocaleString(currentLocale())
export const localDate = (iso: string) => new Date(iso).toLocaleDateString(currentLocale())
