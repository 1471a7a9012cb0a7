const DAY_MS = 86_400_000

/** A day of the calendar, as 2026-01-31. */
export type Day = string

/** IANA name of the browser's time zone. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The day that it is in the browser's time zone. */
export function today(now = new Date()): Day {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

export function isDay(text: string | null | undefined): text is Day {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** All days from `since` to `until`, both included. */
export function daysBetween(since: Day, until: Day): Day[] {
  const count = Math.max(0, Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS) + 1)
  return Array.from({ length: count }, (_, at) => addDays(since, at))
}
