import { numbers } from './figures'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
// Up to here milliseconds say more.
const IN_MILLISECONDS = 100 * SECOND

/** A number in whole units, `minute` for one. */
export const unit = (value: number, name: string, maximumFractionDigits = 0) =>
  numbers({ style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits })(value)

/** A time in milliseconds; longer ones in minutes and seconds, or hours and minutes. */
export function duration(ms: number): string {
  if (ms < IN_MILLISECONDS) return unit(ms, 'millisecond')
  const [large, small] = ms < HOUR ? [MINUTE, SECOND] : [HOUR, MINUTE]
  const [first, second] = ms < HOUR ? ['minute', 'second'] : ['hour', 'minute']
  const rest = Math.floor((ms % large) / small)
  return `${unit(Math.floor(ms / large), first)} ${unit(rest, second)}`
}

/** A clock that runs: `0:07`, `12:34` or `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  const rest = `${hours ? two(minutes) : String(minutes)}:${two(seconds % 60)}`
  return hours ? `${String(hours)}:${rest}` : rest
}
