import { duration } from '@/lib/duration'

const SECONDS_SHOWN = 100
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1000

const inUnit = (value: number, unit: string, language: string, digits: number) =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value)

/** How long, in seconds or minutes and more; a dash for nothing. */
export function age(seconds: number | null, language: string): string {
  if (seconds === null) return '–'
  if (seconds < SECONDS_SHOWN) return inUnit(seconds, 'second', language, 0)
  return duration(seconds * 1000, language)
}

/** A size in the unit that fits. */
export function size(bytes: number, language: string): string {
  const power = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP))
  const unit = Math.min(power, UNITS.length - 1)
  return inUnit(bytes / STEP ** unit, UNITS[unit] ?? 'byte', language, unit < 2 ? 0 : 1)
}
