import { Gavel } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import {
  type Column,
  EmptyState,
  RequestForm,
  PagedList,
  PageHeader,
  WideTable,
} from '@/components/page'
import { Button, Input, Select, TextLink, TriggeredDialog } from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/names'
import { toast } from '@/lib/toast'

import { RunStatus } from '../RunStatus'
import { useBenches, useBenchEstimate, useStartBench } from '../api/benches'
import { count, figure, moment } from '../figures'
import { Estimate } from '../start/Estimate'

export function BenchesPage() {
  const { t } = useTranslation('runs')
  const benches = useBenches()
  return (
    <>
      <PageHeader title={t('benches.title')} lead={t('benches.lead')}>
        <StartBench />
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        <PagedList
          list={benches}
          empty={<EmptyState title={t('benches.empty')} text={t('benches.emptyText')} />}
        >
          {(found) => <BenchTable benches={found} />}
        </PagedList>
      </div>
    </>
  )
}

/** A row for each judge of a bench. */
function BenchTable({ benches }: { benches: readonly Schema<'BenchRow'>[] }) {
  const { t } = useTranslation('runs')
  const rows = benches.flatMap((bench) => bench.judges.map((judge) => ({ bench, judge })))
  type Row = (typeof rows)[number]
  const of = ({ bench, judge }: Row) => bench.figures.find((each) => each.judge === judge)
  const columns: Column<Row>[] = [
    [
      t('benches.name'),
      ({ bench }) => <TextLink to={`/benches/${bench.id}`}>{bench.name}</TextLink>,
    ],
    [t('benches.judge'), ({ judge }) => judgeName(judge)],
    [
      t('benches.source'),
      ({ bench }) => `${t(`benches.sources.${bench.source}`)} (${count(bench.items)})`,
    ],
    [t('list.status'), ({ bench }) => <RunStatus status={bench.status} />],
    ['F1', (row) => figure(of(row)?.f1.value), 'numeric'],
    ['AUROC', (row) => figure(of(row)?.auroc.value), 'numeric'],
    [t('list.when'), ({ bench }) => moment(bench.created_at), 'nowrap'],
  ]
  return (
    <WideTable
      caption={t('benches.caption')}
      columns={columns}
      rows={rows}
      rowKey={({ bench, judge }) => `${bench.id} ${judge}`}
    />
  )
}

/** Feedback on drawn answers where there is any, all feedback, or a file. */
const SOURCES = ['feedback', 'all', 'file'] as const

interface BenchDraft {
  source: (typeof SOURCES)[number]
  file: File | null
  name: string
  judges: string
  limit: string
  agreed: boolean
}

const UNCHANGED = {
  source: 'feedback',
  file: null,
  name: '',
  judges: 'offline',
  limit: '',
} as const

const MAX_JUDGES = 6
const MAX_ITEMS = 20_000

function StartBench() {
  const { t } = useTranslation('runs')
  return (
    <TriggeredDialog
      title={t('benches.open')}
      description={t('benches.text')}
      trigger={
        <Button variant="primary" icon={Gavel}>
          {t('benches.open')}
        </Button>
      }
    >
      <BenchForm />
    </TriggeredDialog>
  )
}

/** First says what the bench would take, then starts it. */
function BenchForm() {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const estimate = useBenchEstimate()
  const start = useStartBench()
  const { draft, change, field } = useDraft<BenchDraft>({ ...UNCHANGED, agreed: false })
  const { source, file, judges, limit, agreed } = draft
  const named = judges.split(/[\s,]+/).filter(Boolean)
  const judgesFit = named.length >= 1 && named.length <= MAX_JUDGES
  const limitFits = limit === '' || (/^[1-9]\d*$/.test(limit) && Number(limit) <= MAX_ITEMS)
  const request = {
    name: draft.name.trim() || 'bench',
    judges: named,
    file: source === 'file' ? file : null,
    labels: source === 'all' ? ('all' as const) : null,
    limit: limit === '' ? null : Number(limit),
  }
  const fits = judgesFit && limitFits && (source !== 'file' || file !== null)
  const known = estimate.data
  const ready = known !== undefined && (known.cost_usd === 0 || agreed)

  /** Another choice may cost something else. */
  const choose = (some: Partial<BenchDraft>) => {
    change({ ...some, agreed: false })
    estimate.reset()
    start.reset()
  }
  const submit = () => {
    if (!fits) return
    if (!known) {
      estimate.mutate(request)
      return
    }
    if (!ready) return
    start.mutate(request, {
      onSuccess: ({ id }) => {
        toast(t('benches.started'), 'success')
        void navigate(`/benches/${id}`)
      },
    })
  }
  return (
    <RequestForm
      request={{
        error: estimate.error ?? start.error,
        isPending: estimate.isPending || start.isPending,
      }}
      action={t(known ? 'benches.start' : 'benches.estimate')}
      disabled={!fits || (known !== undefined && !ready)}
      onSubmit={submit}
      noValidate
    >
      <Input label={t('benches.name')} maxLength={200} placeholder="bench" {...field('name')} />
      <Select
        label={t('benches.source')}
        value={source}
        onValue={(chosen) => choose({ source: chosen })}
        hint={t(`benches.sourceHints.${source}`)}
        options={SOURCES.map((each) => ({ value: each, text: t(`benches.sources.${each}`) }))}
      />
      {source === 'file' && (
        <Input
          type="file"
          className="py-2"
          label={t('benches.file')}
          hint={t('benches.fileHint')}
          accept=".jsonl,.json"
          onChange={({ target }) => choose({ file: target.files?.[0] ?? null })}
        />
      )}
      <Input
        label={t('benches.judges')}
        hint={t(source === 'file' ? 'benches.judgesHint' : 'benches.judgesStored')}
        error={judgesFit ? undefined : t('benches.judgesRange')}
        value={judges}
        verbatim
        onValue={(text) => choose({ judges: text })}
      />
      <Input
        label={t('benches.limit')}
        hint={t('benches.limitHint')}
        error={limitFits ? undefined : t('benches.limitRange')}
        inputMode="numeric"
        value={limit}
        onValue={(text) => choose({ limit: text })}
      />
      {known && (
        <>
          <p className="text-sm">
            {t('benches.found', {
              items: count(known.items),
              hallucinated: count(known.hallucinated),
              rejected: count(known.rejected.length),
            })}
          </p>
          <Estimate
            estimate={known}
            error={null}
            agreed={agreed}
            onAgree={field('agreed').onValue}
          />
        </>
      )}
    </RequestForm>
  )
}
