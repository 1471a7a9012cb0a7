import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState, MoreButton } from '@/components/page'
import { Select, Spinner } from '@/components/ui'

import { useComparedCases, type Shown } from '../api/comparisons'
import { count } from '../figures'

import { CasePair } from './CasePair'

const WORSE = ['error', 'now_fails', 'lower'] as const
const BETTER = ['recovered', 'now_passes', 'higher'] as const

/** The questions of both runs, those that came out differently first. */
export function Cases({ first, second }: { first: string; second: string }) {
  const { t } = useTranslation('runs')
  const [show, setShow] = useState<Shown>('all')
  const cases = useComparedCases(first, second, show)
  const counts = cases.data?.pages[0]?.counts
  const items = cases.data?.pages.flatMap((page) => page.items) ?? []
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
            onChange={({ target }) => setShow(target.value as Shown)}
          >
            <option value="all">
              {t('compare.shown.all', { cases: count(sum(Object.keys(counts))) })}
            </option>
            <option value="worse">{t('compare.shown.worse', { cases: count(sum(WORSE)) })}</option>
            <option value="better">
              {t('compare.shown.better', { cases: count(sum(BETTER)) })}
            </option>
          </Select>
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
      {cases.error && <ErrorState error={cases.error} onRetry={() => cases.refetch()} />}
      {cases.isPending && <Spinner />}
      {cases.data && items.length === 0 && (
        <p className="text-muted-foreground text-sm">{t('compare.noCases')}</p>
      )}
      <ol className="grid grid-cols-1 gap-2">
        {items.map((each) => (
          <li key={each.first.test_case_id} className="min-w-0">
            <CasePair of={each} first={first} second={second} />
          </li>
        ))}
      </ol>
      <MoreButton list={cases} />
    </section>
  )
}
