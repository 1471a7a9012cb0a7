import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, TextWithCode } from '@/components/page'
import { Button, Form } from '@/components/ui'
import { useDebounced } from '@/hooks/useDebounced'
import { useNotebooks } from '@/hooks/workspace'
import { integer, numbers, roundDollars } from '@/lib/figures'
import { ApiError } from '@/lib/problem'

import { type Field, type Forecast, type Policy, type Settings, useForecast } from '../api/policy'
import { draftOf, GROUPS, hasEffect } from '../policyFields'
import { usePolicyDraft } from '../usePolicyDraft'
import { useShown } from '../useShown'

import { PolicyField } from './PolicyField'
import { Statement } from './Statement'

type Fields = readonly [Field, ...Field[]]

interface Props {
  /** As the form begins. */
  settings: Settings
  mayChange: boolean
  /** Whether a setting with these keys or texts is searched for. */
  finds: (keys: readonly string[], ...texts: string[]) => boolean
}

const groups = Object.entries(GROUPS) as [keyof typeof GROUPS, readonly Fields[]][]

/** The workspace's policy in sentences with their controls; what is empty is as the server says. */
export function PolicyForm({ settings, mayChange, finds }: Props) {
  const { t } = useTranslation('settings')
  const { data: notebooks = [] } = useNotebooks()
  const { say } = useShown(notebooks)
  const policy = usePolicyDraft(settings)
  const { base, draft, own, holds, edited, error } = policy
  const clausesOf = (names: Fields) =>
    names
      .filter((name) => hasEffect(name, holds))
      .map((name) => ({
        name,
        text: say(name, holds[name]),
        own: own[name] != null,
        unsaved: edited.includes(name),
      }))
  const found = groups
    .map(([group, statements]) => {
      const fits = (names: Fields) =>
        finds(
          [`policy.groups.${group}`, ...names.flatMap((name) => [`policy.fields.${name}`])],
          ...clausesOf(names).map(({ text }) => text),
        )
      return { group, statements: statements.filter(fits) }
    })
    .filter(({ statements }) => statements.length > 0)
  return (
    <Form
      noValidate
      className="grid gap-section"
      onSubmit={() => {
        if (!policy.hasMistakes) policy.save()
      }}
    >
      {found.length === 0 && <EmptyState title={t('search.none')} />}
      <div className="grid items-start gap-section lg:grid-cols-2">
        {found.map(({ group, statements }) => (
          <section key={group} aria-labelledby={`policy-${group}`} className="min-w-0">
            <h3 id={`policy-${group}`} className="border-border border-b pb-1 font-medium">
              {t(`policy.groups.${group}`)}
            </h3>
            <ul className="divide-border divide-y text-sm">
              {statements.map((names) => (
                <Statement
                  key={names[0]}
                  clauses={clausesOf(names)}
                  mayChange={mayChange}
                  forced={names.some((name) => policy.problemOf(name) !== undefined)}
                  onPutBack={() =>
                    policy.change(draftOf(Object.fromEntries(names.map((name) => [name, null]))))
                  }
                >
                  {names.map((name) => (
                    <PolicyField
                      key={name}
                      name={name}
                      value={draft[name] ?? null}
                      settings={base}
                      problem={policy.problemOf(name)}
                      onChange={(value) => policy.change({ [name]: value })}
                    />
                  ))}
                </Statement>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {policy.changed.length > 0 && (
        <div
          role="alert"
          className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm"
        >
          <p className="font-medium">{t('policy.meanwhile.title')}</p>
          <p>{t('policy.meanwhile.text')}</p>
          <ul className="mt-2 grid gap-2">
            {policy.changed.map(({ name, differs }) => (
              <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {t('policy.meanwhile.theirs', {
                  value: say(name, base.effective[name]).replace(/,$/, ''),
                })}
                {differs && (
                  <Button
                    size="sm"
                    aria-label={t('policy.meanwhile.takeOne', {
                      field: t(`policy.fields.${name}`),
                    })}
                    onClick={() => policy.change({ [name]: draftOf(base.policy)[name] ?? null })}
                  >
                    {t('policy.meanwhile.take')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {error && !policy.isRefused && <ErrorState error={error} onRetry={policy.retry} />}
      {policy.isRefused && (
        <p role="alert" className="text-danger text-sm">
          {t('policy.refused')}
        </p>
      )}
      {edited.length > 0 && (
        <SaveBar
          changes={edited.length}
          saved={base.policy}
          draft={policy.hasMistakes ? null : own}
          isPending={policy.isPending}
          onDiscard={policy.discard}
        />
      )}
    </Form>
  )
}

const about = numbers({ maximumSignificantDigits: 2 })

interface SaveBarProps {
  changes: number
  saved: Policy
  /** null while it has mistakes. */
  draft: Policy | null
  isPending: boolean
  onDiscard: () => void
}

/** What is not saved yet, what it will do, and the buttons that keep or drop it. */
function SaveBar({ changes, saved, draft, isPending, onDiscard }: SaveBarProps) {
  const { t } = useTranslation(['settings', 'common'])
  return (
    <div className="bg-card border-primary sticky bottom-2 z-20 flex flex-wrap items-center justify-between gap-3 rounded-md border p-3 text-sm shadow-lg">
      <div role="status" className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{t('policy.unsavedCount', { count: changes })}</p>
        {draft && <Effect saved={saved} draft={draft} />}
      </div>
      <Button onClick={onDiscard}>{t('policy.discard')}</Button>
      <Button type="submit" disabled={isPending || !draft}>
        {t('common:save')}
      </Button>
    </div>
  )
}

function Effect({ saved, draft }: { saved: Policy; draft: Policy }) {
  const { t } = useTranslation('settings')
  const { data: now } = useForecast(saved)
  const { data: then, error } = useForecast(
    JSON.parse(useDebounced(JSON.stringify(draft))) as Policy,
  )
  if (error instanceof ApiError)
    return (
      <p className="text-danger">
        <TextWithCode text={error.problem.detail} />
      </p>
    )
  if (!now || !then) return null
  if (then.answers === 0) return <p>{t('policy.forecast.none')}</p>
  const cost = ({ cost_usd: usd, at_most: atMost }: Forecast) =>
    usd === null
      ? t('policy.forecast.unpriced')
      : t(`policy.forecast.${atMost ? 'atMost' : 'cost'}`, { usd: roundDollars(usd) })
  const blanks = (day: Forecast) => ({
    answers: about(day.answers),
    judged: about(day.judged),
    cost: cost(day),
  })
  const share = (draft.daily_budget_usd ?? Infinity) / (then.cost_usd ?? 0)
  return (
    <p className="tabular-nums">
      {t('policy.forecast.day', blanks(then))} {t('policy.forecast.now', blanks(now))}{' '}
      {share < 1 && t('policy.forecast.beyond', { judged: integer(then.judged * share) })}
    </p>
  )
}
