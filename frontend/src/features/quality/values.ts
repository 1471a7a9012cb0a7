import { useTranslation } from 'react-i18next'

import { daysBetween, today, type Day } from '@/lib/days'
import { count, day, integer, moments, numbers, percentTenths, roundDollars } from '@/lib/figures'
import { currentLanguage } from '@/lib/language'

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

/** Ids of the notes with the same text that a row is of. */
export const copiesOf = (row: Row) => textOf(row, 'note_ids').split(' ')

export function sum(rows: readonly Row[], name: string): number {
  return rows.reduce((total, row) => total + (numberOf(row, name) ?? 0), 0)
}

const tenths = numbers({ maximumFractionDigits: 1 })
const signedTenths = numbers({ maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const seconds = numbers({ style: 'unit', unit: 'second', maximumFractionDigits: 1 })
const inMs = numbers({ style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 })

/** A difference of shares, in percentage points. */
export const points = (value: number) => tenths(value * 100)
export const signedPoints = (value: number) => signedTenths(value * 100)
export const ms = (value: number) => (value >= 1000 ? seconds(value / 1000) : inMs(value))
/** The same, today and yesterday in words. */
export function recently(written: Day): string {
  const ago = daysBetween(written, today()).length - 1
  if (ago !== 0 && ago !== 1) return day(written)
  const words = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' })
  const [first = '', ...rest] = words.format(-ago, 'day')
  return first.toUpperCase() + rest.join('')
}
/** The keys that the name of a column may have: the quality pages' own, or those of claims. */
export const columnKeys = (name: string) =>
  [`columns.${name}`, `ai:fault.${name}`, `ai:claim.${name}`] as string[] as ['columns.day']
const moment = moments({ dateStyle: 'short', timeStyle: 'short' })

/** One value of a row, by what its column says of it; a dash for what is not known. */
export function shown({ type, unit }: Column, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number') {
    if (unit === '0..1') return percentTenths(value)
    if (unit === 'ms') return ms(value)
    if (unit === 'USD') return roundDollars(value)
    return type === 'integer' ? integer(value) : count(value)
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  if (type === 'timestamp') return moment(value)
  return value
}

/** Verdicts of the judge's own, right refusals included, of which there is no score. */
export const judgedIn = (row: Row) => sum([row], 'scored') + sum([row], 'rightly_refused')

/** Says what means are of: how many answers have a score, how many are right refusals, and which
 * share of the scored is decided where rules left some open. */
export function useMeansNote(): (rows: readonly Row[]) => string {
  const { t } = useTranslation('quality')
  return (rows) => {
    const [answers, scored, decided] = [
      sum(rows, 'answers'),
      sum(rows, 'scored'),
      sum(rows, 'decided'),
    ]
    const refused = sum(rows, 'rightly_refused')
    return [
      t('daily.note', { scored: integer(scored), answers: integer(answers) }),
      ...(refused > 0 ? [t('daily.refused', { number: integer(refused) })] : []),
      ...(decided < scored ? [t('daily.decided', { share: percentTenths(decided / scored) })] : []),
    ].join(' · ')
  }
}
