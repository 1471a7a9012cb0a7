import { useTranslation } from 'react-i18next'

import { DataTable, ErrorState } from '@/components/page'
import { ButtonLink, Card, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { percent, twoDecimals } from '@/lib/figures'

import { usePeopleAgreement } from './api/review'

// Of fewer answers the API gives no kappa.
const MIN_ANSWERS = 10

/** Whether people can be trusted: how far those who labelled the same answers agree. */
export function PeopleCard() {
  const { t } = useTranslation('evaluations')
  const { data: found, error, isPending, refetch } = usePeopleAgreement()
  return (
    <Card title={t('people.title')}>
      <p className="text-muted-foreground mb-2 text-sm">{t('people.lead')}</p>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found && (
        <div className="mb-2 flex flex-wrap items-center justify-between gap-2 text-sm">
          <p>{found.twice > 0 ? t('people.twice', { count: found.twice }) : t('people.none')}</p>
          <ButtonLink to="/label?again=yes">{t('people.start')}</ButtonLink>
        </div>
      )}
      {found && found.pairs.length > 0 && <Pairs pairs={found.pairs} />}
    </Card>
  )
}

function Pairs({ pairs }: { pairs: readonly Schema<'AuthorPair'>[] }) {
  const { t } = useTranslation('evaluations')
  const kappaOf = ({ kappa, answers }: Schema<'Agreement'>) => {
    if (kappa !== null) return twoDecimals(kappa)
    return answers < MIN_ANSWERS ? t('people.tooFew') : t('people.alike')
  }
  return (
    <DataTable
      caption={t('people.table')}
      rows={pairs}
      rowKey={({ first, second }) => JSON.stringify([first, second])}
      columns={[
        [t('people.who'), (row: (typeof pairs)[number]) => `${row.first} · ${row.second}`],
        [t('people.answers'), ({ agreement }) => agreement.answers, 'numeric'],
        [t('people.kappa'), ({ agreement }) => kappaOf(agreement), 'numeric'],
        [
          t('people.interval'),
          ({ agreement: { low, high } }) =>
            low !== null && high !== null
              ? t('agreement.interval', { low: twoDecimals(low), high: twoDecimals(high) })
              : '–',
          'numeric',
        ],
        [t('people.exact'), ({ agreement }) => percent(agreement.exact), 'numeric'],
      ]}
    />
  )
}
