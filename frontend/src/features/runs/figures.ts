import { currentLanguage } from '@/lib/language'

type Maybe = number | null | undefined

const NOTHING = '–'

/** A figure of 0 to 1, or a difference of two. */
export function figure(value: Maybe): string {
  return value == null ? NOTHING : value.toFixed(3)
}

export function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(3)}`
}

export function pValue(value: Maybe): string {
  return value != null && value < 0.001 ? '< 0.001' : figure(value)
}

export function interval(given: { low: number; high: number } | null | undefined): string {
  return given == null ? NOTHING : `${figure(given.low)} – ${figure(given.high)}`
}

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

/** A date as an axis has room for it. */
export function day(iso: string): string {
  if (iso === '') return ''
  return new Intl.DateTimeFormat(currentLanguage(), { month: 'numeric', day: 'numeric' }).format(
    new Date(iso),
  )
}

const TONES = { excellent: 'success', good: 'success', fair: 'warning', poor: 'danger' } as const

export type Band = keyof typeof TONES

export const tone = (band: Band) => TONES[band]
