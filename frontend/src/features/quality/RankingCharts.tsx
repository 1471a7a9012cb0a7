import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { TextLink } from '@/components/ui'
import { toneOf } from '@/components/verdict/tone'
import { integer, percentTenths } from '@/lib/figures'

import { ChartCard } from './ChartCard'
import { NoteCopies } from './NoteCopies'
import type { Filters } from './api/analytics'
import { behind } from './drill'
import { copiesOf, numberOf, textOf } from './values'

const SHOWN = 10

interface Props {
  filters: Filters
}

/** Coloured as the bars of correctness are wherever an answer is shown. */
function graded(value: number) {
  return { value, fill: `var(--color-${toneOf(value, 0.8, 0.5)})` }
}

export function WorstNotes({ filters }: Props) {
  const { t } = useTranslation('quality')
  return (
    <ChartCard
      name="worst-notes"
      title={t('notes.title')}
      filters={filters}
      note={(rows) => t('notes.note', { shown: integer(Math.min(SHOWN, rows.length)) })}
      chart={(rows) => (
        <BarList
          label={t('notes.label')}
          format={percentTenths}
          rows={rows.slice(0, SHOWN).map((row) => {
            const [title, ids] = [textOf(row, 'title'), copiesOf(row)]
            const name = ids.length > 1 ? t('notes.merged', { title, count: ids.length }) : title
            return {
              name: `${name} (${integer(numberOf(row, 'scored') ?? 0)})`,
              ...graded(numberOf(row, 'correctness') ?? 0),
              to: behind('worst-notes', 'scored', row, filters),
              copies: <NoteCopies {...{ title, ids }} />,
            }
          })}
        />
      )}
    />
  )
}

export function FrequentIssues({ filters }: Props) {
  const { t } = useTranslation(['quality', 'ai'])
  return (
    <ChartCard
      name="frequent-issues"
      title={t('issues.title')}
      filters={filters}
      note={(rows) => t('issues.note', { judged: integer(numberOf(rows[0] ?? {}, 'judged') ?? 0) })}
      chart={(rows) => (
        <BarList
          label={t('issues.label')}
          format={percentTenths}
          rows={rows.slice(0, SHOWN).map((row) => {
            const kind = textOf(row, 'kind')
            return {
              name: t(`ai:issueKinds.${kind as 'grounding'}`, { defaultValue: kind }),
              value: numberOf(row, 'share') ?? 0,
              fill: 'var(--color-warning)',
              to: behind('frequent-issues', 'answers', row, filters),
            }
          })}
        />
      )}
    />
  )
}

interface BarListProps {
  label: string
  rows: {
    name: string
    value: number
    fill: string
    to: string | undefined
    copies?: ReactNode
  }[]
  format: (value: number) => string
}

/** A bar for each name, in the order given; values are 0 to 1. A name leads to what is behind it. */
function BarList({ label, rows, format }: BarListProps) {
  return (
    <ol aria-label={label} className="grid gap-1.5">
      {rows.map(({ name, value, fill, to, copies }, at) => (
        // Two notes may have one title.
        <li
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_3.5rem] gap-x-2 text-sm sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_3.5rem]"
        >
          <span className="line-clamp-2 break-words" title={name}>
            {to === undefined ? (
              name
            ) : (
              <TextLink plain to={to}>
                {name}
              </TextLink>
            )}
          </span>
          <span className="text-right tabular-nums sm:order-last">{format(value)}</span>
          <span aria-hidden className="flex items-center max-sm:col-span-2">
            <span
              className="h-4 rounded-sm"
              style={{ width: `${value * 100}%`, backgroundColor: fill }}
            />
          </span>
          {copies}
        </li>
      ))}
    </ol>
  )
}
