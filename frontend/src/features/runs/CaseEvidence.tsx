import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { StateBadge } from '@/components/StateBadge'
import { ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, Spinner, TextLink } from '@/components/ui'
import { EvidenceView, type Shown } from '@/components/verdict/EvidenceView'
import type { AnswerState } from '@/lib/answerState'
import type { Schema } from '@/lib/api'

import { useCasePassages, useRun } from './api/runs'

// As the API calls the judge that compares without a model.
const RULES = 'offline:rules'

interface Props {
  runId: string
  caseId: string
  answer: string | null
  state: AnswerState | null
  /** Below the answer. */
  children?: ReactNode
}

/** The answer of a run to a question beside what it was given, and what the search missed. */
export function CaseEvidence({ runId, caseId, answer, state, children }: Props) {
  const { t } = useTranslation('runs')
  const [shown, setShown] = useState<Shown | null>(null)
  const { data: run } = useRun(runId)
  const { data: passages, error, refetch } = useCasePassages(runId, caseId)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!run || !passages) return <Spinner />
  const byRules = run.judge_model === RULES
  const notes = passages.flatMap(({ rank, ...note }) =>
    rank === null ? [] : [{ ...note, note_index: rank }],
  )
  const nothing = t(answer === null ? 'cases.searchOnly' : 'cases.noAnswer')
  const missed = passages.filter(({ rank }) => rank === null)
  return (
    <EvidenceView
      answer={answer === '' ? nothing : (answer ?? nothing)}
      notes={notes}
      shown={shown}
      onShow={setShown}
      ofNote={({ note_index: at }) => (
        <AboutPassage {...passages.find(({ rank }) => rank === at)} />
      )}
      head={
        state && (
          <StateBadge
            voice={byRules ? 'rules' : 'model'}
            verdict={{ state, ...(byRules && OUTCOMES[state]) }}
          />
        )
      }
      foot={children}
    >
      {missed.length > 0 && (
        <Card className="text-sm">
          <CardTitle>{t('cases.missed')}</CardTitle>
          <ol className="divide-border grid divide-y">
            {missed.map(({ id, title, content, ...passage }) => (
              <li key={id} className="py-3 first:pt-0">
                <p className="font-medium">{title}</p>
                <AboutPassage {...passage} />
                <p className="whitespace-pre-wrap">{content}</p>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </EvidenceView>
  )
}

/** What rules say in words of their own. */
const OUTCOMES: Partial<Record<AnswerState, { outcome: 'matches' | 'undecided' }>> = {
  confirmed: { outcome: 'matches' },
  not_judged: { outcome: 'undecided' },
}

type About = Partial<Pick<Schema<'FoundPassage'>, 'answers' | 'note_id'>>

/** Whether the passage answers the question, and its note as it is now. */
function AboutPassage({ answers, note_id: id }: About) {
  const { t } = useTranslation('runs')
  return (
    <p className="mb-1 flex flex-wrap gap-x-3 text-sm empty:hidden">
      {answers && <Badge variant="success">{t('cases.relevant')}</Badge>}
      {id && (
        <TextLink plain to={`/notes/${id}`}>
          {t('cases.noteNow')}
        </TextLink>
      )}
    </p>
  )
}
