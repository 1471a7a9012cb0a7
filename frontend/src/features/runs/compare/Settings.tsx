import { useTranslation } from 'react-i18next'

import { type Column, WideTable } from '@/components/page'
import { Card, CardTitle, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/names'

import { dollars, milliseconds, moment } from '../figures'

export type RunSettings = Omit<Schema<'MeasuredRun'>, 'dataset_id'>

/** What was measured in each run and how, the baseline first; what differs from it says so. */
export function Settings({ runs }: { runs: readonly RunSettings[] }) {
  const { t } = useTranslation('runs')
  const settings: [string, (run: RunSettings) => string | null][] = [
    [t('list.dataset'), (run) => `${run.dataset_name} v${run.dataset_version}`],
    [t('start.type'), (run) => t(`types.${run.evaluation_type}`)],
    ['k', (run) => String(run.k)],
    [t('compare.retrieval'), (run) => t(`retrievals.${run.retrieval}`)],
    [t('detail.embeddingModel'), (run) => run.embedding_model],
    [t('detail.answerModel'), (run) => ofAnswers(run, run.answer_model)],
    [t('detail.judgeModel'), (run) => ofAnswers(run, judgeName(run.judge_model))],
    [t('start.prompt'), (run) => ofAnswers(run, run.prompt_version)],
  ]
  const baseline = runs[0]
  const columns: Column<RunSettings>[] = [
    [
      t('compare.run'),
      (run) => (
        <TextLink to={`/runs/${run.id}`} className="inline-block min-w-40">
          {run.name}
        </TextLink>
      ),
    ],
    ...settings
      // Embedding model, judge and prompt say nothing where no run has one.
      .filter(([, of]) => runs.some((run) => of(run) !== null))
      .map(([header, of]): Column<RunSettings> => [
        header,
        (run) => (
          <Value of={of(run)} differs={baseline !== undefined && of(run) !== of(baseline)} />
        ),
        'nowrap',
      ]),
    [t('list.when'), ({ created_at }) => moment(created_at), 'nowrap'],
    [t('means.cost'), ({ cost_usd }) => dollars(cost_usd), 'numeric'],
    [t('means.latency'), ({ latency_ms }) => milliseconds(latency_ms), 'numeric'],
  ]
  return (
    <Card className="min-w-0">
      <CardTitle>{t('compare.settings')}</CardTitle>
      <WideTable caption={t('compare.settings')} columns={columns} rows={runs} />
    </Card>
  )
}

const ofAnswers = (run: RunSettings, value: string | null) =>
  run.evaluation_type === 'full_rag' ? value : null

function Value({ of, differs }: { of: string | null; differs: boolean }) {
  const { t } = useTranslation('runs')
  const value = of ?? '–'
  if (!differs || of === null) return value
  return (
    <>
      <strong>{value}</strong>{' '}
      <span className="text-muted-foreground text-xs">({t('compare.differs')})</span>
    </>
  )
}
