import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { StateBadge } from '@/components/StateBadge'
import { DataTable } from '@/components/page'
import type { Schema } from '@/lib/api'
import { count, dollars, milliseconds } from '@/lib/figures'
import { voiceOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'
import type { EvaluationView } from '@/lib/verdict'

import type { Trial } from '../api/trials'

interface Props {
  view: EvaluationView
  trial: Trial
  verdict: Schema<'TrialVerdict'>
}

interface Row {
  name: string
  stored: ReactNode
  trial: ReactNode
  difference?: string
}

type Maybe = number | null | undefined

const NOTHING = '–'
const percent = (value: Maybe) => (value == null ? NOTHING : `${Math.round(value * 100)}%`)

/** The difference of two figures as `show` writes it, with its sign; 0 without one. */
function difference(before: Maybe, after: Maybe, show: (value: number) => string): string {
  if (before == null || after == null) return NOTHING
  if (after === before) return '0'
  return `${after > before ? '+' : '−'}${show(Math.abs(after - before))}`
}

const supported = (claims: readonly { verdict: string }[] | null | undefined) =>
  claims?.filter(({ verdict }) => verdict === 'supported').length

/** The figures of the stored verdict and of the trial. */
export function FigureTable({ view, trial, verdict }: Props) {
  const { t } = useTranslation('playground')
  const { t: ai } = useTranslation('ai')
  const stored = view.qa_evaluation
  // Scores of rules are no figures for readers.
  const scored = stored?.outcome ? null : stored
  const tried = verdict.evaluation
  const before = view.feedback?.groundedness?.claims
  const after = verdict.claims
  const points = (value: number) => t('figures.points', { value: Math.round(value * 100) })
  const share = (claims: readonly { verdict: string }[] | null | undefined) =>
    claims ? `${count(supported(claims))} / ${count(claims.length)}` : NOTHING
  const score = (name: string, of: Maybe, to: Maybe): Row => ({
    name,
    stored: percent(of),
    trial: percent(to),
    difference: difference(of, to, points),
  })
  const rows: Row[] = [
    {
      name: t('figures.verdict'),
      stored: stored ? <StateBadge verdict={stored} voice={voiceOf(view)} /> : NOTHING,
      trial: <StateBadge verdict={{ ...tried, state: verdict.state }} voice="model" />,
    },
    score(ai('qaCorrectness'), scored?.correctness, tried.correctness),
    score(ai('qaUtility'), scored?.utility, tried.utility),
    ...(verdict.criteria ?? []).map(({ name, version, value, label }) => {
      const old = view.criteria.find((each) => each.name === name && each.version === version)
      const row = score(name, old?.value, value)
      return { ...row, stored: old?.label ?? row.stored, trial: label ?? row.trial }
    }),
    {
      name: t('figures.supported'),
      stored: share(before),
      trial: share(after),
      difference: difference(supported(before), supported(after), count),
    },
    {
      name: t('figures.cost'),
      stored: dollars(view.cost_usd),
      trial: dollars(trial.cost_usd),
      difference: difference(view.cost_usd, trial.cost_usd, dollars),
    },
    {
      name: t('figures.tokens'),
      stored: tokens(view),
      trial: tokens(trial),
      difference: difference(total(view), total(trial), count),
    },
    {
      name: t('figures.time'),
      stored: milliseconds(view.judge_ms),
      trial: milliseconds(trial.judge_ms),
      difference: difference(view.judge_ms, trial.judge_ms, milliseconds),
    },
    {
      name: t('figures.judge'),
      stored: judgeName(view.judge_model),
      trial: judgeName(trial.judge_model),
    },
    {
      name: t('figures.prompt'),
      stored: view.prompt_version ?? NOTHING,
      trial: trial.instructions === null ? trial.prompt : `${trial.prompt} ${t('result.edited')}`,
    },
  ]
  return (
    <div className="min-w-0 [&_table]:min-w-xl">
      <DataTable
        caption={t('figures.caption')}
        rows={rows}
        columns={[
          [t('figures.what'), ({ name }) => name],
          [t('figures.stored'), (row) => row.stored],
          [t('figures.trial'), (row) => row.trial],
          [t('figures.difference'), (row) => row.difference ?? '', 'numeric'],
        ]}
      />
    </div>
  )
}

interface Tokens {
  prompt_tokens: number | null
  completion_tokens: number | null
}

const total = ({ prompt_tokens: a, completion_tokens: b }: Tokens) =>
  a === null || b === null ? null : a + b

const tokens = ({ prompt_tokens: a, completion_tokens: b }: Tokens) =>
  a === null && b === null ? NOTHING : `${count(a)} + ${count(b)}`
