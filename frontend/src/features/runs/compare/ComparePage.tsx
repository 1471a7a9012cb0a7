import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { type Column, EmptyState, PagedList, PageHeader, WideTable } from '@/components/page'
import { Badge, ButtonLink, Card, CardTitle, Select, Spinner, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { type Shown, useComparedCases, usePair } from '../api/comparisons'
import { useRun } from '../api/runs'
import { count, figure, moment, pValue, signed } from '../figures'

import { CasePair } from './CasePair'
import { Caveat, NotCompared, Outcome, Refused } from './NotCompared'
import { type RunSettings, Settings } from './Settings'
import { Several } from './Several'
import { type Chosen, compareAddress, readChosen, withBaseline, without } from './chosenRuns'
import { metricName } from './metricName'

/** Runs by the ids in the address: `a` is the baseline, each `b` a run beside it. */
export function ComparePage() {
  const { t } = useTranslation('runs')
  const [search] = useSearchParams()
  const chosen = readChosen(search)
  const { baseline, others } = chosen
  const [only, ...more] = others
  return (
    <>
      <PageHeader title={t('compare.title')} lead={t('compare.lead')} />
      {baseline === '' || only === undefined ? (
        <EmptyState title={t('compare.missing')} text={t('compare.missingText')}>
          <ButtonLink to="/runs">{t('compare.toRuns')}</ButtonLink>
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 gap-6">
          <RunChoice chosen={chosen} />
          {more.length === 0 ? (
            <Pair key={baseline + only} first={baseline} second={only} />
          ) : (
            <Several baseline={baseline} others={others} />
          )}
        </div>
      )}
    </>
  )
}

/** Two runs, the second against the first, with their questions one by one. */
function Pair({ first, second }: { first: string; second: string }) {
  const { t } = useTranslation('runs')
  const a = useRun(first)
  const b = useRun(second)
  const { data, error, refetch } = usePair(first, second)
  if (error) return <Refused error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  const unread = data.differences.filter(({ unread: cases }) => cases > 0)
  const runs: RunSettings[] =
    a.data && b.data
      ? [
          { ...a.data, cost_usd: data.first_cost_usd, latency_ms: data.first_latency_ms },
          { ...b.data, cost_usd: data.second_cost_usd, latency_ms: data.second_latency_ms },
        ]
      : []
  return (
    <>
      <NotCompared of={data.not_compared} />
      {data.only_first + data.only_second > 0 && (
        <Caveat>{t('compare.only', { first: data.only_first, second: data.only_second })}</Caveat>
      )}
      {data.notes_changed > 0 && (
        <Caveat>{t('compare.notesChanged', { count: data.notes_changed })}</Caveat>
      )}
      {unread.length > 0 && (
        <Caveat>
          {t('compare.unread', { count: Math.max(...unread.map(({ unread: cases }) => cases)) })}
        </Caveat>
      )}
      {data.differences.length === 0 ? (
        <p role="alert">{t('compare.noPairs')}</p>
      ) : (
        <Differences differences={data.differences} />
      )}
      <Cases first={first} second={second} />
      {runs.length > 0 && <Settings runs={runs} />}
    </>
  )
}

type Difference = Schema<'Comparison'>['differences'][number]

function Differences({ differences }: { differences: readonly Difference[] }) {
  const { t } = useTranslation('runs')
  const columns: Column<Difference>[] = [
    [
      t('compare.metric'),
      ({ name }) => <span className="inline-block min-w-28">{metricName(name, t)}</span>,
    ],
    ['A', ({ first }) => figure(first), 'numeric'],
    ['B', ({ second }) => figure(second), 'numeric'],
    [t('compare.difference'), ({ difference }) => <strong>{signed(difference)}</strong>, 'numeric'],
    [
      t('means.interval'),
      ({ low, high }) => (low === null || high === null ? '–' : `${signed(low)} … ${signed(high)}`),
      'numeric',
    ],
    [t('compare.p'), ({ p_value }) => pValue(p_value), 'numeric'],
    [t('compare.pairs'), ({ cases }) => count(cases), 'numeric'],
    [t('compare.verdict'), (row) => <Outcome of={row} />],
  ]
  return (
    <Card>
      <CardTitle>{t('compare.differences')}</CardTitle>
      <WideTable caption={t('compare.differences')} columns={columns} rows={differences} />
    </Card>
  )
}

const CHANGES = {
  worse: ['error', 'now_fails', 'lower'],
  better: ['recovered', 'now_passes', 'higher'],
} as const

/** The questions of both runs, those that came out differently first. */
function Cases({ first, second }: { first: string; second: string }) {
  const { t } = useTranslation('runs')
  const [show, setShow] = useState<Shown>('all')
  const cases = useComparedCases(first, second, show)
  const counts = cases.data?.pages[0]?.counts
  const sum = (changes: readonly string[]) =>
    counts ? changes.reduce((total, change) => total + (counts[change] ?? 0), 0) : 0
  return (
    <section className="min-w-0">
      <h2 className="font-semibold">{t('compare.cases')}</h2>
      <p className="text-muted-foreground mb-3 text-sm">{t('compare.casesLead')}</p>
      {counts && (
        <div className="mb-3 grid gap-2 sm:max-w-sm">
          <Select
            label={t('compare.show')}
            value={show}
            options={(['all', 'worse', 'better'] as const).map((value) => {
              const shown = value === 'all' ? Object.keys(counts) : CHANGES[value]
              return { value, text: t(`compare.shown.${value}`, { cases: count(sum(shown)) }) }
            })}
            onValue={setShow}
          />
        </div>
      )}
      {counts && (
        <p className="mb-3 text-sm">
          {counts.now_fails || counts.now_passes
            ? t('compare.flips', {
                fails: count(counts.now_fails),
                passes: count(counts.now_passes),
              })
            : t('compare.noFlips')}
        </p>
      )}
      <PagedList
        list={cases}
        empty={<p className="text-muted-foreground text-sm">{t('compare.noCases')}</p>}
      >
        {(items) => (
          <ol className="grid grid-cols-1 gap-2">
            {items.map((each) => (
              <li key={each.first.test_case_id} className="min-w-0">
                <CasePair of={each} first={first} second={second} />
              </li>
            ))}
          </ol>
        )}
      </PagedList>
    </section>
  )
}

/** The runs that are compared, which of them is the baseline, and the way to change either. They
 * can be changed where the comparison is refused, too. */
function RunChoice({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation('runs')
  return (
    <section aria-label={t('compare.runs')}>
      <ul className="flex flex-wrap gap-2">
        {[chosen.baseline, ...chosen.others].map((id) => (
          <ChosenRun key={id} id={id} chosen={chosen} />
        ))}
      </ul>
    </section>
  )
}

function ChosenRun({ id, chosen }: { id: string; chosen: Chosen }) {
  const { t } = useTranslation('runs')
  const { data: run } = useRun(id)
  const name = run?.name ?? id
  const isBaseline = id === chosen.baseline
  // Two runs are called A and B in what is said of them.
  const isPair = chosen.others.length === 1
  return (
    <li className="border-border bg-card flex max-w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2 text-sm">
      {isBaseline && (
        <Badge variant="info">
          {t('compare.baseline')}
          {isPair && ' (A)'}
        </Badge>
      )}
      {isPair && !isBaseline && <Badge>B</Badge>}
      <span className="min-w-0 break-words">
        <TextLink to={`/runs/${id}`}>{name}</TextLink>
        {run && <span className="text-muted-foreground"> · {moment(run.created_at)}</span>}
      </span>
      <span className="flex gap-1">
        {!isBaseline && (
          <ButtonLink
            to={compareAddress(withBaseline(chosen, id))}
            aria-label={`${t('compare.makeBaseline')}: ${name}`}
            variant="ghost"
            size="sm"
          >
            {t('compare.makeBaseline')}
          </ButtonLink>
        )}
        {!isPair && (
          <ButtonLink
            to={compareAddress(without(chosen, id))}
            aria-label={`${t('compare.leaveOut')}: ${name}`}
            variant="ghost"
            size="sm"
          >
            {t('compare.leaveOut')}
          </ButtonLink>
        )}
      </span>
    </li>
  )
}
