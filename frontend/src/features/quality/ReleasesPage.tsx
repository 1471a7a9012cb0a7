import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { type Column, DataTable, EmptyState, ErrorState, PageHeader } from '@/components/page'
import { Card, Spinner, TextLink } from '@/components/ui'
import { cn } from '@/lib/cn'
import { date, integer, percentTenths } from '@/lib/figures'

import { QualityFilters, useQualityFilters } from './QualityFilters'
import { type Filters, type Release, useReleases } from './api/analytics'
import { behindRelease } from './drill'
import { points, signedPoints } from './values'

type Change = Pick<NonNullable<Release['correctness_change']>, 'change' | 'low' | 'high'>

/** Whether a release is worse than the one before it, and for whom. */
export function ReleasesPage() {
  const { t } = useTranslation('quality')
  const { period, filters, setFilters } = useQualityFilters()
  // All of them are shown beside each other.
  const of = { ...filters, app_version: undefined }
  const { data: found, error, isPending, refetch } = useReleases(of)
  return (
    <>
      <PageHeader title={t('releases.title')} lead={t('releases.lead')} />
      <QualityFilters {...{ period, filters: of }} onChange={setFilters} withoutRelease />
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found?.rows.length === 0 && (
        <EmptyState title={t('releases.none')} text={t('releases.noneText')} />
      )}
      {found && found.rows.length > 0 && !error && (
        <div className="grid gap-4">
          <ul className="grid gap-2">
            {found.rows.map((release) => (
              <Sentence key={release.app_version} release={release} filters={of} />
            ))}
          </ul>
          <Card className="min-w-0">
            <Releases rows={found.rows} filters={of} />
          </Card>
        </div>
      )}
    </>
  )
}

/** What a reader should know of a release, in words. */
function Sentence({ release, filters }: { release: Release; filters: Filters }) {
  const { t } = useTranslation('quality')
  const { outcome, app_version: now, previous_version: before, worse_for: lost } = release
  const corrected = release.corrected_change?.since === before
  const change = corrected ? release.corrected_change : release.correctness_change
  const said = t(`releases.${outcome ?? 'first'}`, {
    now,
    before,
    measure: t(corrected ? 'releases.corrected' : 'releases.measure'),
    ...inWords(change ?? { change: 0, low: 0, high: 0 }),
  })
  const of = lost && {
    lang: t(`releases.langs.${lost.lang as 'ko'}`, { defaultValue: lost.lang }),
    topic: lost.topic,
    count: lost.answers,
    before: percentTenths(lost.before),
    after: percentTenths(lost.after),
  }
  const link = lost && behindRelease(now, filters, lost.lang)
  return (
    <li
      className={cn(
        'rounded-md p-3 text-sm break-words',
        outcome === 'worse' || lost
          ? 'bg-warning-soft text-warning-foreground'
          : 'border-input bg-card border',
      )}
    >
      <p className="font-medium">{said}</p>
      {of && (
        <p>
          {t(of.topic === null ? 'releases.forAll' : 'releases.for', of)}{' '}
          {link && (
            <TextLink plain to={link}>
              {t('releases.see')}
            </TextLink>
          )}
        </p>
      )}
    </li>
  )
}

function inWords({ change, low, high }: Change) {
  return {
    by: points(Math.abs(change)),
    change: signedPoints(change),
    low: signedPoints(low),
    high: signedPoints(high),
  }
}

function Releases({ rows, filters }: { rows: Release[]; filters: Filters }) {
  const { t } = useTranslation('quality')
  const compared = (value: number | null | undefined, change: Change | null) => (
    <>
      <div>{percentTenths(value)}</div>
      {value != null && change && (
        <div className="text-muted-foreground text-xs">{t('releases.change', inWords(change))}</div>
      )}
    </>
  )
  const column = (name: string, cell: (row: Release) => ReactNode): Column<Release> => [
    t(`releases.columns.${name as 'release'}`),
    cell,
    'numeric',
  ]
  return (
    <DataTable
      caption={t('releases.title')}
      rows={rows}
      columns={[
        [
          t('releases.columns.release'),
          (row) => {
            const to = behindRelease(row.app_version, filters)
            return to ? <TextLink to={to}>{row.app_version}</TextLink> : row.app_version
          },
        ],
        column('first', (row) => date(row.first_seen_at)),
        column('answers', (row) => integer(row.answers)),
        column('scored', (row) => integer(row.scored)),
        column('correctness', (row) => compared(row.correctness, row.correctness_change)),
        column('corrected', (row) => compared(row.corrected?.value, row.corrected_change)),
        column('high', (row) => compared(row.share_high, row.share_high_change)),
        column('utility', (row) => compared(row.utility, row.utility_change)),
      ]}
    />
  )
}
