import { useTranslation } from 'react-i18next'

import { DataTable, ErrorState } from '@/components/page'
import { Card, Spinner } from '@/components/ui'
import { useTimeline } from '@/hooks/useTimeline'
import type { Schema } from '@/lib/api'
import { integer, numbers, roundDollars } from '@/lib/figures'
import { purposeName } from '@/lib/names'
import type { EvaluationView } from '@/lib/verdict'

import { useCalls } from '../api/detail'
import { moment } from '../scores'

import { useHowCalled } from './SpanName'

type Call = Schema<'JudgeCallView'>

const ms = numbers({ style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 })

/** Every call to a judge, of all attempts. */
export function JudgeCalls({ id, status }: Pick<EvaluationView, 'id' | 'status'>) {
  const { t } = useTranslation('evaluations')
  const { timeline } = useTimeline(id, status)
  const made = timeline?.spans.filter(({ kind }) => kind === 'call').length ?? 0
  const { data: calls, error, isPending, refetch } = useCalls(id, status, made)
  return (
    <Card title={t('calls.title')} className="min-w-0">
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {calls?.length === 0 && <p className="text-muted-foreground text-sm">{t('calls.none')}</p>}
      {calls && calls.length > 0 && (
        <DataTable<Call>
          caption={t('calls.title')}
          rows={calls}
          rowKey={(call) => call.id}
          columns={[
            [t('calls.at'), (call) => moment(call.created_at), 'nowrap'],
            [t('calls.attempt'), ({ attempt }) => attempt, 'numeric'],
            [t('calls.purpose'), (call) => <Purpose call={call} />],
            [t('calls.model'), (call) => `${call.provider}:${call.model}`, 'nowrap'],
            [
              t('calls.tokens'),
              (call) => {
                const counts = [call.prompt_tokens, call.completion_tokens].map(integer).join(' / ')
                return call.cached_tokens
                  ? `${counts} (${t('calls.cached', { tokens: integer(call.cached_tokens) })})`
                  : counts
              },
              'numeric',
            ],
            [t('calls.cost'), (call) => roundDollars(call.cost_usd), 'numeric'],
            [t('calls.time'), (call) => ms(call.elapsed_ms), 'numeric'],
            [t('calls.outcome'), (call) => <Outcome call={call} calls={calls} />],
          ]}
        />
      )}
    </Card>
  )
}

function Purpose({ call }: { call: Call }) {
  const how = useHowCalled({ ...call, discarded: false })
  return (
    <>
      {purposeName(call.purpose)}
      {how.length > 0 && (
        <span className="text-muted-foreground block text-xs">{how.join(' · ')}</span>
      )}
    </>
  )
}

function Outcome({ call, calls }: { call: Call; calls: readonly Call[] }) {
  const { t } = useTranslation('evaluations')
  if (call.error !== null) return <span className="text-danger">{call.error}</span>
  return <>{t(`calls.${use(call, calls)}`)}</>
}

/** What became of a reply. Where an answer is judged in parts it is not stored which of their replies
 * had to be asked for again. */
function use(call: Call, calls: readonly Call[]): 'discarded' | 'used' | 'usedOrAskedAgain' {
  if (call.discarded) return 'discarded'
  const alike = calls.filter(
    ({ attempt, purpose, error }) =>
      attempt === call.attempt && purpose === call.purpose && error === null,
  )
  const again = alike.filter(({ re_ask }) => re_ask).length
  if (call.re_ask || again === 0) return 'used'
  return again === alike.length - again ? 'discarded' : 'usedOrAskedAgain'
}
