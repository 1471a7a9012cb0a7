import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { DataTable, ErrorState } from '@/components/page'
import { Badge, Card } from '@/components/ui'
import { useJudgeLimits, usePausedJudges } from '@/hooks/judges'
import type { Schema } from '@/lib/api'
import { count, percent } from '@/lib/figures'

interface Row {
  model: string
  pause: Schema<'JudgePauseRead'> | undefined
  limit: Schema<'JudgeLimitRead'> | undefined
}

function rowsOf(pauses: Schema<'JudgePauseRead'>[], limits: Schema<'JudgeLimitRead'>[]): Row[] {
  const models = new Set([...pauses, ...limits].map(({ judge_model }) => judge_model))
  return [...models].sort().map((model) => ({
    model,
    pause: pauses.find(({ judge_model }) => judge_model === model),
    limit: limits.find(({ judge_model }) => judge_model === model),
  }))
}

/** Judges that are paused, and what the servers of judges allow. */
export function Judges() {
  const { t } = useTranslation('system')
  const { data: pauses, error } = usePausedJudges()
  const { data: limits } = useJudgeLimits()
  const rows = rowsOf(pauses ?? [], limits ?? [])
  return (
    <Card title={t('judges.title')}>
      {error && <ErrorState error={error} />}
      {pauses && rows.length === 0 && <p className="text-sm">{t('judges.allWork')}</p>}
      {rows.length > 0 && (
        <DataTable
          caption={t('judges.title')}
          rows={rows}
          rowKey={({ model }) => model}
          columns={[
            [t('judges.judge'), ({ model }) => model, 'nowrap'],
            [
              t('processes.state'),
              ({ pause }) =>
                pause ? (
                  <>
                    <Badge variant="warning">{t('judges.paused')}</Badge> {pause.reason}
                  </>
                ) : (
                  <Badge variant="success">{t('judges.works')}</Badge>
                ),
            ],
            [t('judges.requests'), ({ limit }) => count(limit?.requests_per_minute), 'numeric'],
            [t('judges.tokens'), ({ limit }) => count(limit?.tokens_per_minute), 'numeric'],
            [
              t('judges.inFlight'),
              ({ limit }) => `${count(limit?.in_flight)} / ${count(limit?.max_in_flight)}`,
              'numeric',
            ],
            [t('judges.allowance'), ({ limit }) => percent(limit?.allowance), 'numeric'],
            [t('judges.waiting'), ({ limit }) => count(limit?.waiting), 'numeric'],
          ]}
        />
      )}
      {!!pauses?.length && (
        <p className="mt-3 text-sm">
          <Link to="/settings" className="underline">
            {t('judges.resume')}
          </Link>
        </p>
      )}
    </Card>
  )
}
