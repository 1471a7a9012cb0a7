import { useTranslation } from 'react-i18next'

import { DataTable, ErrorState } from '@/components/page'
import { Badge, Button, Spinner } from '@/components/ui'
import {
  type Succession,
  useSuccession,
  useSuccessions,
  useSwitchJudges,
  useUndoSuccession,
} from '@/hooks/successions'
import { useWho } from '@/hooks/workspace'
import { dollars, integer, localTime, percent, twoDecimals } from '@/lib/figures'
import { toast } from '@/lib/toast'

import { StartSuccession } from './StartSuccession'

const MAX_SHOWN = 5

type Report = NonNullable<Succession['summary']>
type Shift = Report['shifts'][number]

/** Judges compared with their successors, the newest first. */
export function Successions() {
  const { t } = useTranslation('settings')
  const { data: found } = useSuccessions()
  const { data: who } = useWho()
  const isAdmin = who?.scopes.includes('admin') ?? false
  if (!found || (found.items.length === 0 && !isAdmin)) return null
  return (
    <section aria-labelledby="successions-title" className="mt-4 grid gap-2">
      <h3 id="successions-title" className="text-sm font-medium">
        {t('judges.succession.list')}
      </h3>
      {isAdmin && <StartSuccession />}
      <ul className="divide-border divide-y">
        {found.items.slice(0, MAX_SHOWN).map((each) => (
          <li key={each.id} className="py-2 text-sm">
            <details>
              <summary className="cursor-pointer break-words">
                {each.old_model} → {each.new_model} <State of={each} />
              </summary>
              <Detail id={each.id} isAdmin={isAdmin} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

function State({ of }: { of: Omit<Succession, 'summary'> }) {
  const { t } = useTranslation('settings')
  const { status, done, total, switched_at: switched, undone_at: undone } = of
  if (undone) return <Badge>{t('judges.succession.undone')}</Badge>
  if (switched) return <Badge variant="success">{t('judges.succession.switched')}</Badge>
  return (
    <Badge>
      {t(`judges.succession.states.${status}`, { done: integer(done), total: integer(total) })}
    </Badge>
  )
}

/** What both judges said, and the switch to the new one or the way back. */
function Detail({ id, isAdmin }: { id: string; isAdmin: boolean }) {
  const { t } = useTranslation('settings')
  const { data: found, error, refetch } = useSuccession(id)
  const change = useSwitchJudges(id)
  const undo = useUndoSuccession(id)
  if (!found) return error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />
  const { summary, switched_at: switched, undone_at: undone, new_model: model } = found
  const failed = change.error ?? undo.error
  const objected = (summary?.objections.length ?? 0) > 0
  return (
    <div className="grid gap-3 py-2">
      {found.error_message && <p className="break-words">{found.error_message}</p>}
      {summary && <Figures of={summary} />}
      {switched && <p>{t('judges.succession.switchedAt', { time: localTime(switched) })}</p>}
      {undone && <p>{t('judges.succession.undoneAt', { time: localTime(undone) })}</p>}
      {failed && <ErrorState error={failed} />}
      {isAdmin && summary && !switched && (
        <Button
          variant={objected ? 'danger' : 'primary'}
          size="sm"
          className="justify-self-start"
          disabled={change.isPending}
          onClick={() =>
            change.mutate(objected, {
              onSuccess: () => toast(t('judges.succession.done', { model }), 'success'),
            })
          }
        >
          {t(objected ? 'judges.succession.force' : 'judges.succession.switch', { model })}
        </Button>
      )}
      {isAdmin && switched && !undone && (
        <Button
          size="sm"
          className="justify-self-start"
          disabled={undo.isPending}
          onClick={() => undo.mutate(undefined)}
        >
          {t('judges.succession.undo', { model: found.old_model })}
        </Button>
      )}
    </div>
  )
}

function Figures({ of }: { of: Report }) {
  const { t } = useTranslation('settings')
  const { old, new: successor, people, agreement, objections } = of
  const about = {
    failed: integer(successor.failed),
    asked: integer(successor.failed + successor.verdicts),
    error: successor.first_error ?? '–',
    pairs: integer(of.pairs),
  }
  return (
    <>
      <ul className="text-warning-foreground grid gap-1">
        {objections.map((each) => (
          <li key={each}>{t(`judges.succession.objections.${each}`, about)}</li>
        ))}
      </ul>
      <p>
        {t('judges.succession.pairs', {
          pairs: integer(of.pairs),
          labelled: integer(of.labelled),
          exact: percent(agreement.exact),
        })}
        {people &&
          ` ${t('judges.succession.people', {
            old: percent(people.first),
            new: percent(people.second),
            interval: rangeOf(people.interval),
          })}`}
      </p>
      <Guarantee of={of.guarantee} />
      <DataTable
        caption={t('judges.succession.sides')}
        rows={[old, successor]}
        columns={[
          [t('judges.succession.judge'), ({ judge_model }) => judge_model],
          [t('judges.succession.failed'), ({ failed }) => integer(failed), 'numeric'],
          [t('judges.succession.price1000'), (side) => dollars(side.usd_per_1000.value), 'numeric'],
          [t('judges.succession.seconds'), ({ seconds }) => twoDecimals(seconds.value), 'numeric'],
        ]}
      />
      <DataTable
        caption={t('judges.succession.shifts')}
        rows={of.shifts}
        columns={[
          [t('judges.succession.figure'), (shift) => <Name of={shift} />],
          [t('judges.succession.count'), ({ answers }) => integer(answers), 'numeric'],
          [
            t('judges.succession.difference'),
            ({ difference, interval }) => `${twoDecimals(difference)} (${rangeOf(interval)})`,
            'numeric',
          ],
          [
            t('judges.succession.goesOn'),
            ({ comparable }) => t(`judges.succession.comparable.${comparable}`),
          ],
        ]}
      />
      <p className="text-muted-foreground text-xs">{t('judges.succession.legend')}</p>
    </>
  )
}

/** What becomes of the old judge's guarantee for "high". */
function Guarantee({ of }: { of: Report['guarantee'] }) {
  const { t } = useTranslation('settings')
  if (!of) return null
  const { threshold, stays_high: staysHigh, more_labels: more = 0 } = of
  if (!threshold) {
    return (
      <p className="text-warning-foreground">
        {t('judges.succession.guaranteeOff')}
        {more > 0 && ` ${t('judges.succession.guaranteeLabels', { more: integer(more) })}`}
      </p>
    )
  }
  const { score, labels, right } = threshold
  const about = { labels: integer(labels), right: integer(right), share: percent(staysHigh) }
  return <p>{t('judges.succession.guaranteeKept', { score: twoDecimals(score), ...about })}</p>
}

function Name({ of: { figure, group, value, alike } }: { of: Shift }) {
  const { t } = useTranslation('settings')
  const level = `judges.succession.levels.${value as 'high'}` as const
  const shown = group === 'confidence' ? t(level) : value
  return (
    <span className="block min-w-24">
      {t(`judges.succession.figures.${figure}`, { name: value, alike: percent(alike ?? null) })}
      {group !== 'all' && `: ${t(`judges.succession.groups.${group}`, { value: shown })}`}
    </span>
  )
}

function rangeOf(interval: Shift['interval']): string {
  if (!interval) return '–'
  return `${twoDecimals(interval.low)} – ${twoDecimals(interval.high)}`
}
