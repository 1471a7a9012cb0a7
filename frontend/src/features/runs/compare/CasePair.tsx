import { ArrowDown, ArrowUp, ChevronRight, Minus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { TextDiff } from '@/components/TextDiff'
import { Badge, Tabs, TabsContent, TabsList, TabsTrigger, TextLink } from '@/components/ui'

import { CaseEvidence } from '../CaseEvidence'
import type { ComparedCase } from '../api/comparisons'
import { figure } from '../figures'

import { metricName } from './metricName'

interface Props {
  of: ComparedCase
  /** Ids of the runs. */
  first: string
  second: string
}

/** A question with what became of it; opened, with both answers and their evidence. */
export function CasePair({ of, first, second }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="group bg-card border-border rounded-lg border"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex gap-2 p-3">
        <ChevronRight
          aria-hidden
          className="mt-1 size-4 shrink-0 transition-transform group-open:rotate-90"
        />
        <span className="grid min-w-0 gap-1">
          <span className="line-clamp-3 font-medium break-words group-open:line-clamp-none">
            {of.question}
          </span>
          <ChangeBadges of={of} />
        </span>
      </summary>
      {open && (
        <div className="border-border grid grid-cols-1 gap-4 border-t p-4 text-sm">
          <Answers of={of} />
          <Sides of={of} first={first} second={second} />
        </div>
      )}
    </details>
  )
}

const LOOKS = {
  error: 'danger',
  now_fails: 'danger',
  lower: 'warning',
  recovered: 'success',
  now_passes: 'success',
  higher: 'success',
  same: 'neutral',
} as const

function ChangeBadges({ of: { change, changes } }: { of: ComparedCase }) {
  const { t } = useTranslation('runs')
  const Icon = change === 'same' ? Minus : LOOKS[change] === 'success' ? ArrowUp : ArrowDown
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Badge variant={LOOKS[change]}>
        <Icon aria-hidden />
        {t(`compare.changes.${change}`)}
      </Badge>
      {changes.map(({ name, first, second, first_band, second_band }) => (
        <span key={name} className="text-muted-foreground">
          {t('compare.fromTo', {
            metric: metricName(name, t),
            from: `${t(`bands.${first_band}`)} ${figure(first)}`,
            to: `${t(`bands.${second_band}`)} ${figure(second)}`,
          })}
        </span>
      ))}
    </span>
  )
}

function Answers({ of: { first, second } }: { of: ComparedCase }) {
  const { t } = useTranslation('runs')
  if (first.answer === null || second.answer === null) return null
  if (first.answer === second.answer) return <p>{t('compare.sameAnswer')}</p>
  return (
    <TextDiff
      before={first.answer || t('cases.noAnswer')}
      after={second.answer || t('cases.noAnswer')}
      beforeTitle={t('compare.answerOf', { run: 'A' })}
      afterTitle={t('compare.answerOf', { run: 'B' })}
    />
  )
}

/** The evidence of either run, the second's first: that is what changed. */
function Sides({ of, first, second }: Props) {
  const { t } = useTranslation('runs')
  const sides = [
    ['A', first, of.first],
    ['B', second, of.second],
  ] as const
  return (
    <Tabs defaultValue="B">
      <TabsList aria-label={t('compare.evidence')}>
        {sides.map(([run]) => (
          <TabsTrigger key={run} value={run}>
            {t('compare.run')} {run}
          </TabsTrigger>
        ))}
      </TabsList>
      {sides.map(([run, id, side]) => (
        <TabsContent key={run} value={run} className="grid gap-3">
          {side.error !== null && (
            <p className="bg-danger-soft text-danger-foreground rounded-md p-3 break-words">
              {side.error}
            </p>
          )}
          <CaseEvidence
            runId={id}
            caseId={side.test_case_id}
            answer={side.answer}
            state={side.state}
          >
            <p className="text-muted-foreground flex flex-wrap gap-x-3 tabular-nums">
              {Object.entries(side.figures).map(([name, value]) => (
                <span key={name}>
                  {metricName(name, t)} {figure(value)}
                </span>
              ))}
            </p>
            <TextLink
              to={`/runs/${id}?case=${side.test_case_id}`}
              // The question is scrolled to, and may be before the page would go to its top.
              preventScrollReset
            >
              {t('compare.openIn', { run })}
            </TextLink>
          </CaseEvidence>
        </TabsContent>
      ))}
    </Tabs>
  )
}
