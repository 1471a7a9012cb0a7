import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import {
  type Column,
  EmptyState,
  ErrorState,
  PagedList,
  PageHeader,
  TextFilter,
  WideTable,
} from '@/components/page'
import { Button, ButtonLink, Card, Select, Spinner } from '@/components/ui'
import { PAGED, queries, type Schema } from '@/lib/api'
import { integer, localTime } from '@/lib/figures'
import { personName, storedName } from '@/lib/names'

type Event = Schema<'AuditEventRead'>

const KINDS = [
  ...(['policy', 'token', 'webhook', 'webhook_secret', 'prompt', 'criterion', 'label'] as const),
  ...(['dataset', 'test_case', 'succession', 'note', 'notebook', 'conversation'] as const),
  ...(['answer', 'export', 'login'] as const),
]
type Kind = (typeof KINDS)[number]
const MAX_VALUE_CHARS = 120

/** Who changed what in the workspace, and whether the log of it is whole. */
export function AuditPage() {
  const { t } = useTranslation('settings')
  const [kind, setKind] = useState<Kind | ''>('')
  const [actor, setActor] = useState('')
  const query = { ...(kind && { kind }), ...(actor && { actor: storedName(actor) }) }
  const list = queries.useInfiniteQuery('get', '/audit-events', { params: { query } }, PAGED)
  const columns: Column<Event>[] = [
    [t('audit.when'), ({ at }) => localTime(at), 'nowrap'],
    [
      t('audit.who'),
      ({ actor, via, origin }) => (
        <>
          {personName(actor)}{' '}
          <span className="text-muted-foreground">({t(`audit.via.${via}`)})</span>
          <p className="text-muted-foreground max-w-xs text-xs break-words">{origin}</p>
        </>
      ),
    ],
    [
      t('audit.what'),
      ({ kind, action, subject, subject_id, row_count }) => (
        <>
          {t(`audit.kinds.${kind as Kind}`)}: {t(`audit.actions.${action}`)}
          {row_count > 1 && ` (${integer(row_count)})`}
          <p className="text-muted-foreground text-xs break-all">
            {subject ? personName(subject) : subject_id}
          </p>
        </>
      ),
    ],
    [t('audit.changes'), (event) => <Changes of={event} />],
  ]
  return (
    <>
      <PageHeader title={t('audit.title')} lead={t('audit.lead')}>
        <div className="flex flex-wrap gap-2">
          {(['csv', 'jsonl'] as const).map((format) => (
            <ButtonLink
              key={format}
              icon={Download}
              href={`/audit-events/export?${new URLSearchParams({ ...query, format })}`}
              download={`audit.${format}`}
            >
              {t(`audit.export.${format}`)}
            </ButtonLink>
          ))}
        </div>
      </PageHeader>
      <Card className="grid gap-4">
        <Verification />
        <div className="flex flex-wrap gap-3">
          <Select
            label={t('audit.kind')}
            value={kind}
            onValue={setKind}
            options={[
              { value: '', text: t('audit.all') },
              ...KINDS.map((each) => ({ value: each, text: t(`audit.kinds.${each}`) })),
            ]}
          />
          <TextFilter key={actor} label={t('audit.actor')} value={actor} onValue={setActor} />
        </div>
        <PagedList list={list} empty={<EmptyState title={t('audit.none')} />}>
          {(rows) => (
            <WideTable
              caption={t('audit.title')}
              columns={columns}
              rows={rows}
              rowKey={({ position }) => String(position)}
            />
          )}
        </PagedList>
      </Card>
    </>
  )
}

function Changes({ of: { before, after } }: { of: Event }) {
  const names = Object.keys({ ...before, ...after })
  return (
    <ul className="grid gap-1 text-xs">
      {names.map((name) => (
        <li key={name} className="break-all">
          <span className="text-muted-foreground">{name}</span>{' '}
          {before && <del>{written(before[name])}</del>}
          {before && after && ' → '}
          {after && written(after[name])}
        </li>
      ))}
    </ul>
  )
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text
}

/** Asked for by a button: it reads the whole log. */
function Verification() {
  const { t } = useTranslation('settings')
  const { data, error, isFetching, refetch } = queries.useQuery(
    'get',
    '/audit-events/verification',
    undefined,
    { enabled: false },
  )
  return (
    <div className="flex flex-wrap items-center gap-3" role="status">
      <Button icon={ShieldCheck} disabled={isFetching} onClick={() => void refetch()}>
        {t('audit.verify')}
      </Button>
      {isFetching && <Spinner />}
      {!isFetching && error && <ErrorState error={error} />}
      {!isFetching && data && (
        <p className={data.whole ? 'text-sm' : 'text-danger text-sm font-medium'}>
          {data.whole && t('audit.whole', { events: integer(data.events) })}
          {data.changed.map((position) => `${t('audit.changed', { position })} `)}
          {data.missing.map((gap) => `${t('audit.missing', { ...gap })} `)}
          {data.head_differs && t('audit.headDiffers')}
        </p>
      )}
    </div>
  )
}
