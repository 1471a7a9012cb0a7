import { FlaskConical, ListPlus, Sparkles, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ConfirmDialog } from '@/components/page'
import { Button, ButtonLink } from '@/components/ui'
import { useTestCase } from '@/components/useTestCase'
import { useKeyHelp } from '@/hooks/useKeyHelp'
import { usePageKeys } from '@/hooks/useKeys'
import { useRefine } from '@/hooks/useRefinement'
import { said, toast } from '@/lib/toast'
import { type EvaluationView, isFinal } from '@/lib/verdict'

import { useDeleteAnswer, useRejudge } from '../api/detail'
import { RejudgeDialog } from '../bulk/RejudgeDialog'
import { useLabelSettings } from '../label/useLabelSettings'

/** What can be done with an answer and its verdict. */
export function Actions({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const navigate = useNavigate()
  const rejudge = useRejudge(view.id)
  const refine = useRefine(view.id)
  const refining = view.refinement !== null && !isFinal(view.refinement.status)
  return (
    <div className="flex flex-wrap gap-2">
      <RejudgeDialog
        ids={[view.id]}
        disabled={!isFinal(view.status)}
        start={async (choice) => {
          const { id } = await rejudge.mutateAsync(choice)
          toast(t('actions.rejudged'), 'success')
          void navigate(`/evaluations/${id}`)
        }}
      />
      <Button
        disabled={refine.isPending || refining || view.status !== 'succeeded'}
        onClick={() => refine.mutate(undefined, said(t('actions.refining')))}
        icon={Sparkles}
      >
        {t('actions.refine')}
      </Button>
      {view.evaluators.includes('search_qa') && (
        <ButtonLink to={`/playground?evaluation=${view.id}`} icon={FlaskConical}>
          {t('actions.playground')}
        </ButtonLink>
      )}
      <AddToDataset view={view} />
      <ForgetDialog answerId={view.answer_id} />
    </div>
  )
}

/** Makes a test case of the answer, by a button or the key `t`. */
function AddToDataset({ view: { id, question, lang, status } }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const { open, dialog } = useTestCase()
  const { keys } = useLabelSettings().settings
  const show = () => open({ evaluationId: id, question, lang })
  useKeyHelp(keys ? [{ keys: ['t'], text: t('keys.testCase') }] : [])
  usePageKeys(keys && isFinal(status) ? { t: show } : {})
  return (
    <>
      <Button
        disabled={!isFinal(status)}
        aria-keyshortcuts={keys ? 't' : undefined}
        onClick={show}
        icon={ListPlus}
      >
        {t('testCase.open')}
      </Button>
      {dialog}
    </>
  )
}

/** Deletes an answer for good, after asking. */
function ForgetDialog({ answerId }: { answerId: string }) {
  const { t } = useTranslation(['evaluations', 'common'])
  const navigate = useNavigate()
  const forget = useDeleteAnswer()
  return (
    <ConfirmDialog
      trigger={<Button icon={Trash2}>{t('forget.open')}</Button>}
      title={t('forget.title')}
      description={t('forget.text')}
      action={t('common:delete')}
      request={forget}
      input={answerId}
      done={t('forget.done')}
      onDone={() => void navigate('/evaluations')}
    />
  )
}
