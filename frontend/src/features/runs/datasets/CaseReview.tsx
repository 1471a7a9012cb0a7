import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import {
  Badge,
  Button,
  Card,
  DialogActions,
  Form,
  ShownDialog,
  Spinner,
  Textarea,
  TextLink,
} from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
import { useKeyHelp } from '@/hooks/useKeyHelp'
import { useKeys } from '@/hooks/useKeys'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'
import { toast } from '@/lib/toast'

import { usePassages, useReview } from '../api/datasets'

import {
  type Decision,
  type Decisions,
  type Edit,
  nextOpen,
  reviewOf,
  stateOf,
  tally,
} from './decisions'
import { useDecisions } from './keptDecisions'

const VARIANTS = {
  accepted: 'success',
  edited: 'info',
  rejected: 'danger',
  open: 'neutral',
} as const

/** Goes through the questions one by one, as `searchqa dataset review` does. */
export function CaseReview({ dataset }: { dataset: Schema<'DatasetDetail'> }) {
  const { t } = useTranslation('runs')
  const cases = dataset.test_cases
  const ids = cases.map(({ id }) => id)
  const { decisions, decide: add, kept } = useDecisions(dataset.id)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      ids.findIndex((id) => !decisions.has(id)),
    ),
  )
  const [editing, setEditing] = useState(false)
  const current = cases[at]

  const decide = (decision: Decision) => {
    if (!current) return
    setAt(nextOpen(ids, add(current.id, decision), at))
  }
  const go = (to: number) => setAt(Math.min(cases.length - 1, Math.max(0, to)))
  const actions = {
    accept: () => decide('accepted'),
    reject: () => decide('rejected'),
    edit: () => setEditing(true),
  }
  const region = useKeys({
    y: actions.accept,
    n: actions.reject,
    e: actions.edit,
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
  })
  useKeyHelp([
    { keys: ['y'], text: t('review.keys.accept') },
    { keys: ['n'], text: t('review.keys.reject') },
    { keys: ['e'], text: t('review.keys.edit') },
    { keys: ['←', '→'], text: t('review.keys.go') },
  ])
  if (!current) return null
  const decision = decisions.get(current.id)
  const state = stateOf(decision)
  const edit = typeof decision === 'object' ? decision : undefined
  return (
    <>
      <p className="text-muted-foreground mb-3 text-sm">{t('review.lead')}</p>
      <Card ref={region} tabIndex={-1} aria-label={t('review.region')} className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p role="status" className="text-sm">
            {t('review.position', { position: at + 1, total: cases.length })}
          </p>
          <Badge variant={VARIANTS[state]}>{t(`review.${state}`)}</Badge>
        </div>
        <div>
          <h2 className="font-semibold">{edit?.question ?? current.question}</h2>
          <p className="text-muted-foreground mt-1 text-sm">
            {edit?.reference_answer ?? current.reference_answer}
          </p>
        </div>
        <CasePassages datasetId={dataset.id} chunkIds={current.ground_truth_chunk_ids} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={actions.accept}>
            {t('review.accept')}
          </Button>
          <Button onClick={actions.reject}>{t('review.reject')}</Button>
          <Button onClick={actions.edit}>{t('review.edit')}</Button>
          <span className="grow" />
          <Button variant="ghost" disabled={at === 0} onClick={() => go(at - 1)}>
            {t('review.previous')}
          </Button>
          <Button variant="ghost" disabled={at === cases.length - 1} onClick={() => go(at + 1)}>
            {t('review.next')}
          </Button>
        </div>
      </Card>
      {editing && (
        <EditCase
          start={edit ?? { ...current, reference_answer: current.reference_answer ?? '' }}
          onClose={() => setEditing(false)}
          onApply={decide}
        />
      )}
      <SaveReview datasetId={dataset.id} decisions={decisions} kept={kept} cases={cases.length} />
    </>
  )
}

interface Props {
  datasetId: string
  chunkIds: readonly string[]
}

/** The passages that answer a question, as plain text. */
function CasePassages({ datasetId, chunkIds }: Props) {
  const { t } = useTranslation('runs')
  const { data, error, refetch } = usePassages(datasetId)
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  const passages = data.filter(({ id }) => chunkIds.includes(id))
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">{t('review.passage')}</h3>
      {passages.length === 0 && <p className="text-warning text-sm">{t('review.gone')}</p>}
      {passages.map(({ id, note_id, title, content }) => (
        <figure key={id} className="bg-muted rounded-md p-3 text-sm">
          <blockquote className="whitespace-pre-wrap">{content}</blockquote>
          <figcaption className="mt-2">
            <TextLink to={`/notes/${note_id}`}>{title}</TextLink>
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

interface SaveReviewProps {
  datasetId: string
  decisions: Decisions
  /** Whether the browser has them until they are saved. */
  kept: boolean
  cases: number
}

function SaveReview({ datasetId, decisions, kept, cases }: SaveReviewProps) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const review = useReview(datasetId)
  const counts = tally(decisions, cases)
  const nothingLeft = counts.rejected === cases
  const save = () =>
    review.mutate(reviewOf(decisions), {
      onSuccess: ({ id, version }) => {
        toast(t('review.saved', { version }), 'success')
        void navigate(`/datasets/${id}`)
      },
    })
  return (
    <div className="mt-4 grid gap-3">
      {review.error && <ErrorState error={review.error} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm">
          {t('review.tally', counts)}
          {decisions.size > 0 && (
            <span className={cn('block', !kept && 'text-danger')}>
              {t(kept ? 'review.kept' : 'review.notKept', { count: decisions.size })}
            </span>
          )}
          {counts.open > 0 && (
            <span className="text-muted-foreground block">{t('review.openTaken')}</span>
          )}
          {nothingLeft && <span className="text-danger block">{t('review.allRejected')}</span>}
        </p>
        <Button variant="primary" disabled={review.isPending || nothingLeft} onClick={save}>
          {t('review.save')}
        </Button>
      </div>
    </div>
  )
}

interface EditCaseProps {
  start: Edit
  onClose: () => void
  onApply: (edit: Edit) => void
}

function EditCase({ start, onClose, onApply }: EditCaseProps) {
  const { t } = useTranslation('runs')
  const { draft, field } = useDraft({ ...start })
  const [tried, setTried] = useState(false)
  const question = draft.question.trim()
  const apply = () => {
    setTried(true)
    if (!question) return
    onClose()
    onApply({ question, reference_answer: draft.reference_answer.trim() })
  }
  return (
    <ShownDialog title={t('review.editTitle')} onClose={onClose}>
      <Form className="grid gap-3" onSubmit={apply}>
        <Textarea
          label={t('dataset.question')}
          maxLength={4000}
          error={tried && !question ? t('review.needQuestion') : undefined}
          {...field('question')}
        />
        <Textarea
          label={t('dataset.answer')}
          hint={t('review.removeAnswer')}
          maxLength={10_000}
          {...field('reference_answer')}
        />
        <DialogActions>{t('review.apply')}</DialogActions>
      </Form>
    </ShownDialog>
  )
}
