import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import {
  Checkbox,
  DialogActions,
  Form,
  Input,
  Select,
  ShownDialog,
  Spinner,
  Textarea,
  TextLink,
} from '@/components/ui'
import { lastDataset, rememberDataset, useAddTestCase, useDatasets } from '@/hooks/testCases'
import { useFeedback } from '@/hooks/useFeedback'
import type { Schema } from '@/lib/api'
import { toast } from '@/lib/toast'


interface Target {
  evaluationId: string
  question: string
  lang: string
  /** What has just been said of it, where that is known before the server has it. */
  comment?: string
}

/** Makes a test case of an answer, in a dialog that stands wherever `dialog` does. */
export function useTestCase() {
  const [target, open] = useState<Target | null>(null)
  const close = () => open(null)
  return { open, dialog: target && <TestCaseDialog target={target} onClose={close} /> }
}

interface Props {
  target: Target
  onClose: () => void
}

function TestCaseDialog({ target, onClose }: Props) {
  const { t } = useTranslation('evaluations')
  const datasets = useDatasets()
  const labels = useFeedback(target.evaluationId)
  const error = datasets.error ?? labels.error
  const wanting = labels.data?.filter(
    ({ claim_position: claim, label, comment }) => claim === null && label !== 'right' && comment,
  )
  const newest = wanting?.sort((a, b) => b.updated_at.localeCompare(a.updated_at))[0]?.comment
  return (
    <ShownDialog title={t('testCase.title')} description={t('testCase.text')} onClose={onClose}>
      <p className="mb-4 line-clamp-3 text-sm font-medium" lang={target.lang}>
        {target.question}
      </p>
      {error && <ErrorState error={error} />}
      {!error && datasets.data && labels.data ? (
        <TestCaseForm
          evaluationId={target.evaluationId}
          comment={target.comment ?? newest ?? ''}
          datasets={datasets.data.items}
          onClose={onClose}
        />
      ) : (
        !error && <Spinner />
      )}
    </ShownDialog>
  )
}

interface FormProps {
  evaluationId: string
  comment: string
  datasets: readonly Schema<'DatasetView'>[]
  onClose: () => void
}

function TestCaseForm({ evaluationId, comment, datasets, onClose }: FormProps) {
  const { t } = useTranslation('evaluations')
  const names = [...new Set(datasets.map(({ name }) => name))]
  const [chosen, setChosen] = useState(() => lastDataset(datasets) ?? '')
  const [written, setWritten] = useState('')
  const [refusal, setRefusal] = useState(false)
  const [answer, setAnswer] = useState(comment)
  const add = useAddTestCase()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // Where a dataset is chosen, Enter is all that is left to do.
    const first = 'input:not([type=checkbox]), [type=submit]'
    form.current?.querySelector<HTMLElement>(first)?.focus()
  }, [])
  const name = chosen || written.trim()
  const submit = () => {
    const reference = refusal ? {} : { reference_answer: answer.trim() }
    add.mutate(
      { evaluation_id: evaluationId, name, expects_refusal: refusal, ...reference },
      {
        onSuccess: ({ added, dataset_name: dataset, dataset_version: version }) => {
          rememberDataset(dataset)
          if (!added) return
          toast(t('testCase.added', { dataset, version }), 'success')
          onClose()
        },
      },
    )
  }
  const found = add.data
  if (found && !found.added)
    return (
      <p role="alert" className="text-sm">
        {t('testCase.there')}{' '}
        <TextLink to={`/datasets/${found.dataset_id}`}>
          {t('testCase.dataset', { name: found.dataset_name, version: found.dataset_version })}
        </TextLink>
      </p>
    )
  return (
    <Form ref={form} className="grid gap-4" onSubmit={submit}>
      <Select
        label={t('testCase.into')}
        value={chosen}
        onValue={setChosen}
        options={names.map((value) => ({ value, text: value }))}
        none={t('testCase.new')}
      />
      {chosen === '' && (
        <Input
          label={t('testCase.name')}
          value={written}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => setWritten(target.value)}
        />
      )}
      <Checkbox checked={refusal} onChange={setRefusal}>
        {t('testCase.refusal')}
      </Checkbox>
      {!refusal && (
        <Textarea
          label={t('testCase.answer')}
          hint={t(comment ? 'testCase.fromLabel' : 'testCase.noAnswer')}
          value={answer}
          maxLength={10_000}
          onChange={({ target }) => setAnswer(target.value)}
        />
      )}
      {add.error && <ErrorState error={add.error} />}
      <DialogActions disabled={add.isPending || name === ''}>{t('testCase.add')}</DialogActions>
    </Form>
  )
}
