import { useTranslation } from 'react-i18next'

import type { Column, Row } from './api/analytics'

/** A number of a row; null where it is not known, which is not zero. */
export function numberOf(row: Row, name: string): number | null {
  const value = row[name]
  return typeof value === 'number' ? value : null
}

export function textOf(row: Row, name: string): string {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}

export function sum(rows: readonly Row[], name: string): number {
  return rows.reduce((total, row) => total + (numberOf(row, name) ?? 0), 0)
}

type Format = (value: number) => string

export interface Formats {
  percent: Format
  /** A difference of shares, in percentage points. */
  points: Format
  integer: Format
  decimal: Format
  usd: Format
  ms: Format
  day: (value: string) => string
  moment: (value: string) => string
}

const FORMATS = new Map<string, Formats>()

/** Numbers and days as the language writes them. */
export function formatsOf(language: string): Formats {
  // Making them takes longer than a chart needs for all its numbers.
  const formats = FORMATS.get(language) ?? makeFormats(language)
  FORMATS.set(language, formats)
  return formats
}

function makeFormats(language: string): Formats {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(language, options)
    return (value: number) => format.format(value)
  }
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, options)
    return (value: string) => format.format(new Date(value))
  }
  const tenths = number({ maximumFractionDigits: 1 })
  const seconds = number({ style: 'unit', unit: 'second', maximumFractionDigits: 1 })
  const milliseconds = number({ style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 })
  return {
    percent: number({ style: 'percent', maximumFractionDigits: 1 }),
    points: (value) => tenths(value * 100),
    integer: number({ maximumFractionDigits: 0 }),
    decimal: number({ maximumFractionDigits: 3 }),
    usd: number({ style: 'currency', currency: 'USD', maximumSignificantDigits: 3 }),
    ms: (value) => (value >= 1000 ? seconds(value / 1000) : milliseconds(value)),
    // A day is no moment: it is the same wherever it is read.
    day: dates({ month: 'short', day: 'numeric', timeZone: 'UTC' }),
    moment: dates({ dateStyle: 'short', timeStyle: 'short' }),
  }
}

/** One value of a row, by what its column says of it; a dash for what is not known. */
export function shown({ type, unit }: Column, value: unknown, formats: Formats): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number') {
    if (unit === '0..1') return formats.percent(value)
    if (unit === 'ms') return formats.ms(value)
    if (unit === 'USD') return formats.usd(value)
    return type === 'integer' ? formats.integer(value) : formats.decimal(value)
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  if (type === 'timestamp') return formats.moment(value)
  return value
}

/** Says what means are of: how many answers have a score, and which share of these is decided where
 * rules left some open. */
export function useMeansNote(): (rows: readonly Row[]) => string {
  const { t, i18n } = useTranslation('quality')
  const { integer, percent } = formatsOf(i18n.language)
  return (rows) => {
    const [answers, scored, decided] = [
      sum(rows, 'answers'),
      sum(rows, 'scored'),
      sum(rows, 'decided'),
    ]
    const note = t('daily.note', { scored: integer(scored), answers: integer(answers) })
    if (decided >= scored) return note
    return `${note} · ${t('daily.decided', { share: percent(decided / scored) })}`
  }
}
