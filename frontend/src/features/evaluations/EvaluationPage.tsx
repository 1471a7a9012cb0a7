import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Spinner } from '@/components/ui'
import { useVerdict } from '@/hooks/useVerdict'
import type { EvaluationView } from '@/lib/verdict'

import { Actions } from './detail/Actions'
import { AnswerCard } from './detail/AnswerCard'
import { AnswerFeedback } from './detail/AnswerFeedback'
import { Cascade } from './detail/Cascade'
import { JudgeCalls } from './detail/JudgeCalls'
import { SourceDialog, type OpenedSource } from './detail/SourceDialog'
import { Sources } from './detail/Sources'
import { Steps } from './detail/Steps'
import { VerdictCard } from './detail/VerdictCard'
import { VerdictsOfAnswer } from './detail/VerdictsOfAnswer'
import { Waterfall } from './detail/Waterfall'

/** All that is kept of one verdict, as it changes. */
export function EvaluationPage() {
  const { t } = useTranslation('evaluations')
  const { id = '' } = useParams()
  const { view, error } = useVerdict(id)
  return (
    <>
      <PageHeader title={t('detail.title')}>{view && <Actions view={view} />}</PageHeader>
      {error && (
        <div className="grid justify-items-start gap-3">
          <ErrorState error={error} />
          <Link to="/evaluations" className="underline underline-offset-2">
            {t('detail.back')}
          </Link>
        </div>
      )}
      {!view && !error && <Spinner />}
      {view && !error && <Detail key={id} view={view} />}
    </>
  )
}

function Detail({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('ai')
  const [opened, setOpened] = useState<OpenedSource | null>(null)
  const judged = view.qa_evaluation !== null
  const openNote = (index: number, quote?: string) => setOpened({ index, quote })
  return (
    <div className="grid min-w-0 gap-4">
      {view.current_id !== view.id && (
        <p className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
          {t('status.judgedAgain')}{' '}
          <Link to={`/evaluations/${view.current_id}`} className="font-medium underline">
            {t('status.toCurrent')}
          </Link>
        </p>
      )}
      {/* The verdict is the longest; what is short stands beside it, one below another. */}
      <div className="grid gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_1fr]">
        <AnswerCard view={view} onOpenNote={openNote} />
        <div className="grid content-start lg:col-start-2 lg:row-span-3 lg:row-start-1">
          <VerdictCard view={view} onOpenNote={openNote} />
        </div>
        <Sources id={view.id} judged={judged} onOpenNote={openNote} />
        <AnswerFeedback id={view.id} />
      </div>
      {view.cascade.length > 0 && <Cascade steps={view.cascade} />}
      <Waterfall id={view.id} status={view.status} />
      <JudgeCalls id={view.id} status={view.status} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Steps id={view.id} status={view.status} />
        <VerdictsOfAnswer view={view} />
      </div>
      {opened && (
        <SourceDialog
          id={view.id}
          judged={judged}
          opened={opened}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}
