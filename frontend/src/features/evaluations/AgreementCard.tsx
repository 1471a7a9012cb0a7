import { useTranslation } from 'react-i18next'

import { DataTable, ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useAgreement } from './api/review'
import { percent } from './scores'

const LABELS = ['wrong', 'partly', 'right'] as const

/** Whether the judge can be trusted: how far it agrees with people. */
export function AgreementCard() {
  const { t } = useTranslation('evaluations')
  const { data: found, error, isPending, refetch } = useAgreement()
  return (
    <Card aria-label={t('agreement.title')}>
      <CardTitle>{t('agreement.title')}</CardTitle>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found && (
        <div className="grid gap-6 md:grid-cols-2">
          <Part title={t('agreement.answers')} part={found.of_answers} />
          <Part title={t('agreement.claims')} part={found.of_claims} />
        </div>
      )}
    </Card>
  )
}

function Part({ title, part }: { title: string; part: Schema<'Agreement'> }) {
  const { t, i18n } = useTranslation('evaluations')
  const number = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const { kappa, low, high, pairs, answers, exact } = part
  return (
    <section className="grid content-start gap-1 text-sm">
      <h3 className="font-semibold">{title}</h3>
      {kappa === null ? (
        <p className="text-muted-foreground">{t('agreement.unknown', { answers })}</p>
      ) : (
        <p className="text-xl font-semibold tabular-nums">
          κ {number.format(kappa)}{' '}
          {low !== null && high !== null && (
            <span className="text-muted-foreground text-sm font-normal">
              {t('agreement.interval', { low: number.format(low), high: number.format(high) })}
            </span>
          )}
        </p>
      )}
      {pairs > 0 && (
        <>
          <p className="text-muted-foreground">
            {t('agreement.pairs', { pairs, answers, exact: percent(exact, i18n.language) })}
          </p>
          <Confusion title={title} counts={part.confusion} />
        </>
      )}
    </section>
  )
}

function Confusion({ title, counts }: { title: string; counts: number[][] }) {
  const { t } = useTranslation('evaluations')
  const rows = LABELS.map((label, at) => ({ label, counts: counts[at] ?? [] }))
  return (
    <DataTable
      caption={t('agreement.confusion', { title })}
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        {
          key: 'judge',
          header: t('agreement.judge'),
          cell: (row: (typeof rows)[number]) => t(`labels.${row.label}`),
        },
        ...LABELS.map((label, at) => ({
          key: label,
          header: t('agreement.human', { label: t(`labels.${label}`) }),
          numeric: true,
          cell: (row: (typeof rows)[number]) => row.counts[at] ?? 0,
        })),
      ]}
    />
  )
}
