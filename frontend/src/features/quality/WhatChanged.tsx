import { ListPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button, ButtonLink, ProgressBar, TextLink } from '@/components/ui'
import { useTestCase } from '@/components/useTestCase'
import { useWho } from '@/hooks/workspace'
import { cn } from '@/lib/cn'
import { daysBetween } from '@/lib/days'
import { percent } from '@/lib/figures'

import { NoteCopies } from './NoteCopies'
import { type Cause, type Changed, type Filters, useWhatChanged, useWorst } from './api/analytics'
import { behindDay, ofCause } from './drill'
import { points, recently } from './values'

const TONES = { worse: 'danger', better: 'success' } as const

const isThere = ({ mean_after }: Cause) => mean_after !== null

/** The newest day beside those before it, what a difference comes from, and its worst answers. */
export function WhatChanged({ filters }: { filters: Filters }) {
  const { t } = useTranslation('quality')
  const { data } = useWhatChanged(filters)
  const { data: who } = useWho()
  const sentence = useSentence()
  const changed = data?.changed
  if (!changed) return null
  const { outcome, causes } = changed
  const of = { ...filters, since: changed.day, until: changed.day }
  return (
    <section
      aria-labelledby="what-changed"
      className={cn(
        'border-border bg-card mb-4 grid gap-3 rounded-lg border p-4',
        outcome === 'worse' && 'border-danger',
      )}
    >
      <h2 id="what-changed" className="text-lg font-semibold break-words">
        {sentence(changed)}
      </h2>
      {outcome !== 'usual' && (
        <>
          {causes.length === 0 && <p className="text-sm">{t('changed.nothing')}</p>}
          <ol className="grid gap-3">
            {causes.map((cause) => (
              <li key={cause.dimension} className="grid gap-1">
                <Reason {...{ cause, of }} tone={TONES[outcome]} />
              </li>
            ))}
          </ol>
          {outcome === 'worse' && <Worst filters={of} cause={causes.find(isThere)} />}
          <div className="flex flex-wrap gap-2">
            <ButtonLink size="sm" to={behindDay(of) ?? ''}>
              {t('changed.all')}
            </ButtonLink>
            {who?.scopes.includes('admin') && (
              <ButtonLink size="sm" to="/settings#webhooks-title">
                {t('changed.alert')}
              </ButtonLink>
            )}
          </div>
        </>
      )}
    </section>
  )
}

function useSentence() {
  const { t } = useTranslation('quality')
  return ({ day, compared_from, outcome, correctness, correctness_before }: Changed) =>
    t(`changed.${outcome}`, {
      day: recently(day),
      now: percent(correctness),
      before: percent(correctness_before),
      by: points(Math.abs(correctness - correctness_before)),
      count: daysBetween(compared_from, day).length - 1,
    })
}

interface ReasonProps {
  cause: Cause
  of: Filters
  tone: 'danger' | 'success'
}

function Reason({ cause, of, tone }: ReasonProps) {
  const { t } = useTranslation('quality')
  const [before, after] = [cause.mean_before, cause.mean_after].map(percent)
  const title = cause.name ?? cause.value
  const kind = cause.mean_before === null ? 'new' : isThere(cause) ? 'means' : 'gone'
  const isOurNote = cause.dimension === 'cited_note' && cause.value !== cause.name
  const ids = isOurNote ? cause.value.split(' ') : []
  const value = ids.length > 1 ? t('notes.merged', { title, count: ids.length }) : title
  return (
    <>
      <ProgressBar
        tone={tone}
        label={`${t(`alarms.dimensions.${cause.dimension}`)} ${value}`}
        value={cause.part}
        text={t('changed.part', { part: percent(cause.part) })}
      />
      <p className="text-muted-foreground flex flex-wrap gap-x-3 text-sm">
        <span>{t(`changed.${kind}`, { before, after, share: percent(cause.share_after) })}</span>
        {isThere(cause) && (
          <TextLink
            plain
            to={behindDay(of, cause) ?? ''}
            aria-label={`${value}: ${t('changed.see')}`}
          >
            {t('changed.see')}
          </TextLink>
        )}
        {ids.length === 1 && (
          <TextLink plain to={`/notes/${cause.value}`}>
            {t('changed.note')}
          </TextLink>
        )}
        <NoteCopies {...{ title, ids }} />
      </p>
    </>
  )
}

/** Three answers of the day, those of its first cause that has any, each to become a test case. */
function Worst({ filters, cause }: { filters: Filters; cause: Cause | undefined }) {
  const { t } = useTranslation(['quality', 'evaluations'])
  const { open, dialog } = useTestCase()
  const { data } = useWorst(filters, cause ? ofCause(cause) : {})
  if (!data?.items.length) return null
  return (
    <div className="grid gap-1 text-sm">
      <h3 className="font-medium">{t('changed.worst')}</h3>
      <ul className="grid gap-1">
        {data.items.map(({ id, question, lang, correctness }) => (
          <li key={id} className="flex flex-wrap items-start gap-x-2">
            <span className="w-12 shrink-0 text-right tabular-nums">{percent(correctness)}</span>
            <TextLink plain className="min-w-0 flex-1 break-words" to={`/evaluations/${id}`}>
              {question}
            </TextLink>
            <Button
              size="sm"
              icon={ListPlus}
              aria-label={`${question}: ${t('evaluations:testCase.open')}`}
              onClick={() => open({ evaluationId: id, question, lang })}
            >
              {t('evaluations:testCase.open')}
            </Button>
          </li>
        ))}
      </ul>
      {dialog}
    </div>
  )
}
