import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Form, Input, Select } from '@/components/ui'
import { ApiError } from '@/lib/problem'
import { toast } from '@/lib/toast'

import { type RunRequest, useEstimate, useStartRun } from '../api/runs'

import { Estimate } from './Estimate'

const MODEL_FIELDS = ['judge_model', 'answer_model', 'prompt'] as const
type ModelField = (typeof MODEL_FIELDS)[number]
/** A text for each; the name of a model, or what is wrong with it. */
type ModelNames = Partial<Record<ModelField, string>>

interface FieldProblems extends ModelNames {
  k?: string | undefined
  retrieval?: string | undefined
}

const MODEL_CODES: Record<string, ModelField> = {
  'judge-not-in-policy': 'judge_model',
  'no-such-judge': 'judge_model',
  'answer-model-not-in-policy': 'answer_model',
  'no-such-answer-model': 'answer_model',
  'no-such-prompt': 'prompt',
}

/** The refusal of a run at the fields that it is about; nothing of it when it is about others. */
function startProblem(error: unknown, retrieval: string): FieldProblems {
  if (!(error instanceof ApiError)) return {}
  const { errors } = error.problem
  const of = (field: string) => errors?.find(({ at }) => at.endsWith(field))?.message
  const field = MODEL_CODES[error.code]
  if (field) return { [field]: error.message }
  const refused = error.code === 'no-vectors' || (error.code === 'invalid-request' && !errors)
  return {
    k: of('.k'),
    retrieval: of('.retrieval') ?? (refused && retrieval !== 'text' ? error.message : undefined),
  }
}

const TYPES = ['retrieval_only', 'full_rag'] as const
const RETRIEVALS = ['text', 'vector', 'hybrid', 'evidence'] as const
const MAX_K = 50

type Type = (typeof TYPES)[number]

/** type: what is measured unless somebody chooses otherwise. */
export function StartRun({
  datasetId,
  type: usual = 'retrieval_only',
}: {
  datasetId: string
  type?: Type
}) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const start = useStartRun(datasetId)
  const [k, setK] = useState('5')
  const [type, setType] = useState(usual)
  const [retrieval, setRetrieval] = useState<(typeof RETRIEVALS)[number] | ''>('')
  const [models, setModels] = useState<ModelNames>({})
  const [name, setName] = useState('')
  const [version, setVersion] = useState('')
  const [accepted, setAccepted] = useState('')

  const kIsRight = /^\d+$/.test(k) && Number(k) >= 1 && Number(k) <= MAX_K
  const full = type === 'full_rag'
  const body: RunRequest = {
    k: kIsRight ? Number(k) : 1,
    evaluation_type: type,
    ...(retrieval !== '' && { retrieval }),
    ...(full && Object.fromEntries(Object.entries(models).filter(([, model]) => model !== ''))),
  }
  const estimate = useEstimate(datasetId, body, full && kIsRight)
  const known = estimate.isPlaceholderData ? undefined : estimate.data
  const costs = known !== undefined && known.cost_usd !== 0
  // Another choice may cost more than what was accepted.
  const agreed = accepted === JSON.stringify([body, known])
  const ready =
    kIsRight && !start.isPending && (!full || (known !== undefined && (!costs || agreed)))
  const refusal = start.error ?? (full ? estimate.error : null)
  const problem = startProblem(refusal, retrieval)
  const atField = Object.values(problem).some(Boolean)

  const submit = () => {
    if (!ready) return
    const named = {
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(version.trim() !== '' && { app_version: version.trim() }),
    }
    start.mutate(
      { ...body, ...named },
      {
        onSuccess: ({ id }) => {
          toast(t('start.started'), 'success')
          void navigate(`/runs/${id}`)
        },
      },
    )
  }
  return (
    <Form
      className="grid max-w-2xl gap-4"
      aria-label={t('start.title')}
      onSubmit={submit}
      noValidate
    >
      <div className="grid gap-3 sm:grid-cols-3">
        <Select
          label={t('start.type')}
          value={type}
          onValue={setType}
          options={TYPES.map((one) => ({ value: one, text: t(`types.${one}`) }))}
        />
        <Select
          label={t('start.retrieval')}
          value={retrieval}
          error={problem.retrieval}
          onValue={(chosen) => {
            start.reset()
            setRetrieval(chosen)
          }}
          options={RETRIEVALS.map((one) => ({ value: one, text: t(`retrievals.${one}`) }))}
          none={t('start.auto')}
        />
        <Input
          label={t('start.k')}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_K}
          value={k}
          error={kIsRight ? problem.k : t('start.kRange')}
          onValue={setK}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label={t('start.name')}
          hint={t('start.nameHint')}
          maxLength={200}
          value={name}
          onValue={setName}
        />
        <Input
          label={t('start.version')}
          hint={t('start.versionHint')}
          maxLength={200}
          value={version}
          onValue={setVersion}
        />
      </div>
      {full && (
        <ModelFields
          problems={problem}
          onChange={(field, model) => {
            start.reset()
            setModels({ ...models, [field]: model })
          }}
        />
      )}
      {full ? (
        <Estimate
          estimate={known}
          error={atField ? null : estimate.error}
          agreed={agreed}
          onAgree={(yes) => setAccepted(yes ? JSON.stringify([body, known]) : '')}
        />
      ) : (
        <p className="text-muted-foreground text-sm">{t('start.free')}</p>
      )}
      {start.error && !atField && <ErrorState error={start.error} />}
      <Button type="submit" className="justify-self-start" disabled={!ready}>
        {t('start.submit')}
      </Button>
    </Form>
  )
}

interface Props {
  problems: ModelNames
  onChange: (field: ModelField, name: string) => void
}

/** Who answers and judges; left empty, the policy decides. A name counts when it is written to its
 * end, because each one is priced. */
function ModelFields({ problems, onChange }: Props) {
  const { t } = useTranslation('runs')
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {MODEL_FIELDS.map((field) => (
        <Input
          key={field}
          label={t(`start.${field}`)}
          hint={t(`start.${field}_hint`)}
          error={problems[field]}
          maxLength={200}
          verbatim
          onBlur={({ target }) => onChange(field, target.value.trim())}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onChange(field, event.currentTarget.value.trim())
          }}
        />
      ))}
    </div>
  )
}
