import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { EmptyState, PageHeader } from '@/components/page'
import { Button } from '@/components/ui'

import { Pair } from './Pair'
import { RunChoice } from './RunChoice'
import { Several } from './Several'
import { readChosen } from './chosenRuns'

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
          <Button asChild variant="outline">
            <Link to="/runs">{t('compare.toRuns')}</Link>
          </Button>
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
