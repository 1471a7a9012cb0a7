import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { DataTable, EmptyState, ErrorState, Facts, PageHeader } from '@/components/page'
import { Badge, Card, Spinner } from '@/components/ui'
import { cn } from '@/lib/cn'
import { count, moment } from '@/lib/figures'

import { Judges } from './Judges'
import { type Problem, type Process, type Queue, type System, useSystem } from './api/system'
import { age, size } from './format'

/** What waits, who works on it, and what is wrong, for who operates the installation. */
export function SystemPage() {
  const { t } = useTranslation('system')
  const { data: system, error, refetch } = useSystem()
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {error && (
        <div className="mb-6">
          <ErrorState error={error} onRetry={refetch} />
        </div>
      )}
      {!system && !error && <Spinner />}
      {system && (
        <div className="grid grid-cols-1 gap-6">
          <Problems problems={system.problems} />
          <Queues queues={system.queues} />
          <Processes processes={system.processes} />
          <Judges />
          <Database system={system} />
        </div>
      )}
    </>
  )
}

/** The verdicts that wait and that are being judged, by queue and judge. */
function Queues({ queues }: { queues: Queue[] | null }) {
  const { t } = useTranslation('system')
  return (
    <Card title={t('queues.title')}>
      {queues === null && <p className="text-sm">{t('queues.unknown')}</p>}
      {queues?.length === 0 && <EmptyState title={t('queues.empty')} />}
      {!!queues?.length && (
        <DataTable
          caption={t('queues.title')}
          rows={queues}
          rowKey={(row) => `${row.queue} ${row.judge_model}`}
          columns={[
            [t('queues.queue'), (row) => t(`queues.names.${row.queue}`), 'nowrap'],
            [
              t('judges.judge'),
              (row) => (
                <>
                  {row.judge_model}{' '}
                  {row.paused !== null && <Badge variant="warning">{t('judges.paused')}</Badge>}
                </>
              ),
              'nowrap',
            ],
            [t('queues.due'), (row) => count(row.due), 'numeric'],
            [t('queues.oldest'), (row) => age(row.oldest_seconds), 'numeric'],
            [t('queues.running'), (row) => count(row.running), 'numeric'],
            [t('queues.expired'), (row) => count(row.expired), 'numeric'],
          ]}
        />
      )}
    </Card>
  )
}

/** What the database holds, and the versions of all that runs. */
function Database({ system }: { system: System }) {
  const { t } = useTranslation('system')
  const { versions } = system
  const shown = [
    [t('versions.release'), versions.release],
    [t('versions.schema'), versions.schema_revision],
    ['PostgreSQL', versions.postgresql],
    ['Redis', versions.redis ?? t('versions.unreachable')],
    [t('database.total'), size(system.database_bytes)],
  ] as const
  return (
    <Card title={t('database.title')}>
      <div className="mb-4">
        <Facts facts={shown} />
      </div>
      <DataTable
        caption={t('database.tables')}
        showCaption
        rows={system.tables}
        rowKey={({ name }) => name}
        columns={[
          [
            t('database.table'),
            ({ name, parts }) =>
              parts > 0 ? t('database.partitioned', { name, count: parts }) : name,
            'nowrap',
          ],
          [t('database.size'), (table) => size(table.total_bytes), 'numeric'],
          [t('database.indexes'), (table) => size(table.index_bytes), 'numeric'],
          [t('database.rows'), (table) => count(table.estimated_rows), 'numeric'],
        ]}
      />
    </Card>
  )
}

const LOOK = {
  severe: { Icon: CircleAlert, className: 'bg-danger-soft text-danger-foreground' },
  warning: { Icon: CircleAlert, className: 'bg-warning-soft text-warning-foreground' },
  unknown: { Icon: CircleHelp, className: 'bg-muted text-foreground' },
}

const WARNINGS = new Set<Problem['condition']>([
  'slow_judge',
  'judge_paused',
  'model_ending',
  'unindexed',
])

function lookOf(condition: Problem['condition']) {
  if (condition === 'unknown') return LOOK.unknown
  return WARNINGS.has(condition) ? LOOK.warning : LOOK.severe
}

/** What is wrong and what to do, or that all is well. */
function Problems({ problems }: { problems: Problem[] }) {
  const { t } = useTranslation('system')
  if (problems.length === 0) {
    return (
      <p className="bg-success-soft text-success-foreground flex items-center gap-2 rounded-lg p-4 text-sm font-medium">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        {t('conditions.ok.title')}
      </p>
    )
  }
  return (
    <ul className="grid gap-3" aria-label={t('problems')}>
      {problems.map((problem) => {
        const { condition, queue, judge_model: judge, due, oldest_seconds: oldest } = problem
        const { workspaces = 0, obstacle, ends_on: lastDay } = problem
        const { Icon, className } = lookOf(condition)
        const places = [
          queue && t(`queues.names.${queue}`),
          judge,
          lastDay && t('lastDay', { date: lastDay }),
          workspaces > 0 && t('unindexed', { shown: count(workspaces), count: workspaces }),
        ]
        const where = places.filter(Boolean).join(' · ')
        return (
          <li
            key={[condition, queue, judge].join(' ')}
            className={cn('grid gap-1 rounded-lg p-4 text-sm', className)}
          >
            <p className="flex items-center gap-2 font-semibold">
              <Icon aria-hidden className="size-4 shrink-0" />
              {t(`conditions.${condition}.title`)}
            </p>
            {(where !== '' || due > 0) && (
              <p className="break-words">
                {where}
                {where !== '' && due > 0 && ' · '}
                {due > 0 && t('waiting', { shown: count(due), count: due, oldest: age(oldest) })}
              </p>
            )}
            <p>
              {t(`conditions.${condition}.text`, { queue, ...(obstacle && { context: obstacle }) })}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

/** The processes that report, and those that have stopped reporting within the last hour. */
function Processes({ processes }: { processes: Process[] }) {
  const { t } = useTranslation('system')
  const ago = (seconds: number) => t('processes.ago', { time: age(Math.round(seconds)) })
  const lastWork = ({ claim_seconds: claim, tick_seconds: tick }: Process) => {
    if (claim !== null) return t('processes.claimed', { ago: ago(claim) })
    return tick === null ? '–' : t('processes.ticked', { ago: ago(tick) })
  }
  return (
    <Card title={t('processes.title')}>
      {processes.length === 0 ? (
        <EmptyState title={t('processes.empty')} />
      ) : (
        <DataTable
          caption={t('processes.title')}
          rows={processes}
          rowKey={(row) => `${row.hostname} ${row.pid} ${row.started_at}`}
          columns={[
            [t('processes.kind'), (row) => t(`processes.kinds.${row.kind}`), 'nowrap'],
            [
              t('processes.state'),
              (row) => (
                <Badge variant={row.lives ? 'success' : 'danger'}>
                  {row.lives
                    ? t('processes.lives')
                    : t('processes.silent', { ago: ago(row.seen_seconds) })}
                </Badge>
              ),
              'nowrap',
            ],
            [t('processes.queues'), (row) => row.queues.join(', ') || '–', 'nowrap'],
            [
              t('processes.inFlight'),
              (row) => (row.kind === 'worker' ? count(row.in_flight) : '–'),
              'numeric',
            ],
            [t('processes.work'), lastWork, 'nowrap'],
            [t('processes.host'), (row) => `${row.hostname} (${row.pid})`, 'nowrap'],
            [t('versions.release'), (row) => row.release],
            [t('processes.started'), (row) => moment(row.started_at), 'nowrap'],
          ]}
        />
      )}
    </Card>
  )
}
