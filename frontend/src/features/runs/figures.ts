import { moments } from '@/lib/figures'

export { count, dollars, milliseconds, moment } from '@/lib/figures'

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

const monthAndDay = moments({ month: 'numeric', day: 'numeric' })

/** A date as an axis has room for it. */
export function day(iso: string): string {
  return iso === '' ? '' : monthAndDay(iso)
}

const TONES = { excellent: 'success', good: 'success', fair: 'warning', poor: 'danger' } as const

type Band = keyof typeof TONES

export const tone = (band: Band) => TONES[band]
