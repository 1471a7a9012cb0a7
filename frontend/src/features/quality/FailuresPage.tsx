import { useTranslation } from 'react-i18next'

import { EmptyState, PagedList, PageHeader, WideTable } from '@/components/page'
import { Badge, Card, Checkbox, Select, TextLink } from '@/components/ui'
import { date, integer, percentTenths } from '@/lib/figures'

import { QualityFilters, useQualityFilters } from './QualityFilters'
import { type Failure, STATES, useFailures } from './api/analytics'
import { columnKeys } from './values'

/** Doubted answers that are alike, a row for each group. */
export function FailuresPage() {
  const { t } = useTranslation('quality')
  const { params, period, filters, setFilters } = useQualityFilters()
  const state = STATES.find((each) => each === params.get('state')) ?? ''
  const once = params.get('once') === 'true'
  const failures = useFailures(filters, state, once)
  const dropped = failures.data?.pages[0]?.dropped ?? 0
  return (
    <>
      <PageHeader title={t('failures.title')} lead={t('failures.lead')} />
      <QualityFilters {...{ period, filters }} onChange={setFilters} />
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <Select
          label={t('failures.columns.state')}
          value={state}
          onValue={(state) => setFilters({ state })}
          options={STATES.map((value) => ({ value, text: t(`failures.states.${value}`) }))}
          none={t('failures.all')}
        />
        <Checkbox
          className="min-h-10 pt-2.5"
          checked={once}
          onChange={(checked) => setFilters({ once: checked ? 'true' : undefined })}
        >
          {t('failures.once')}
        </Checkbox>
      </div>
      <PagedList
        list={failures}
        empty={<EmptyState title={t('failures.none')} text={t('failures.noneText')} />}
      >
        {(rows) => (
          <Card className="min-w-0">
            <FailureTable rows={rows} />
          </Card>
        )}
      </PagedList>
      {dropped > 0 && (
        <p className="text-muted-foreground mt-4 text-sm">
          {t('failures.dropped', { count: dropped })}
        </p>
      )}
    </>
  )
}

function FailureTable({ rows }: { rows: readonly Failure[] }) {
  const { t } = useTranslation('quality')
  return (
    <WideTable
      caption={t('failures.title')}
      rows={rows}
      columns={[
        [
          t('failures.columns.name'),
          ({ id, name }) => (
            <TextLink className="block min-w-36" to={`/failures/${id}`}>
              {name}
            </TextLink>
          ),
        ],
        [t('failures.columns.fault'), (row) => <Fault of={row} />, 'nowrap'],
        [
          t('failures.columns.note'),
          (row) => (
            <div className="min-w-28">
              <NoteName of={row} />
            </div>
          ),
        ],
        [t('failures.columns.answers'), ({ answers }) => integer(answers), 'numeric'],
        [t('failures.columns.share'), ({ share }) => percentTenths(share), 'numeric'],
        [t('failures.columns.last'), ({ last_seen_at }) => date(last_seen_at), 'nowrap'],
        [t('failures.columns.releases'), ({ releases }) => releases.join(', ') || '–'],
        [t('failures.columns.state'), (row) => <FailureState of={row} />],
        [t('failures.columns.owner'), ({ owner }) => owner ?? '–'],
      ]}
    />
  )
}

/** What is wrong, in words. */
export function Fault({ of: { fault } }: { of: Failure }) {
  const { t } = useTranslation(['quality', 'ai'])
  return t(columnKeys(fault), { defaultValue: fault })
}

export function NoteName({ of: { note_id, note_title, note_deleted } }: { of: Failure }) {
  const { t } = useTranslation('quality')
  if (note_deleted) return t('failures.noteDeleted', { title: note_title })
  if (note_id === null) return note_title ?? '–'
  return <TextLink to={`/notes/${note_id}`}>{note_title}</TextLink>
}

const LOOKS = {
  open: 'warning',
  reopened: 'danger',
  mended: 'success',
  ignored: 'neutral',
} as const

export function FailureState({ of: { state, ...of } }: { of: Failure }) {
  const { t } = useTranslation('quality')
  const shown = state === 'open' && of.reopened_at !== null ? 'reopened' : state
  const release = { mended: of.mended_in, reopened: of.reopened_in, open: null, ignored: null }[
    shown
  ]
  return (
    <Badge variant={LOOKS[shown]}>
      {t(`failures.states.${shown}`, release === null ? {} : { context: 'in', release })}
    </Badge>
  )
}
