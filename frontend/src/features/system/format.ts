import { duration, unit } from '@/lib/duration'

const SECONDS_SHOWN = 100
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1000

/** How long, in seconds or minutes and more; a dash for nothing. */
export function age(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < SECONDS_SHOWN) return unit(seconds, 'second')
  return duration(seconds * 1000)
}

/** A size in the unit that fits. */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP))
  const at = Math.min(power, UNITS.length - 1)
  return unit(bytes / STEP ** at, UNITS[at] ?? 'byte', at < 2 ? 0 : 1)
}
