import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Form, Input, Select } from '@/components/ui'
import { toast } from '@/lib/toast'

import { type RunRequest, useEstimate, useStartRun } from '../api/runs'

import { Estimate } from './Estimate'
import { MODEL_FIELDS, type ModelField, type ModelNames, startProblem } from './startProblem'

const TYPES = ['retrieval_only', 'full_rag'] as const
const RETRIEVALS = ['text', 'vector', 'hybrid', 'evidence'] as const
const MAX_K = 50

export function StartRun({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const start = useStartRun(datasetId)
  const [k, setK] = useState('5')
  const [type, setType] = useState<(typeof TYPES)[number]>('retrieval_only')
  const [retrieval, setRetrieval] = useState<(typeof RETRIEVALS)[number] | ''>('')
  const [models, setModels] = useState<ModelNames>({})
  const [name, setName] = useState('')
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
    start.mutate(name.trim() === '' ? body : { ...body, name: name.trim() }, {
      onSuccess: ({ id }) => {
        toast(t('start.started'), 'success')
        void navigate(`/runs/${id}`)
      },
    })
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
          onChange={({ target }) => setK(target.value)}
        />
      </div>
      <Input
        label={t('start.name')}
        hint={t('start.nameHint')}
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
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
          spellCheck={false}
          autoComplete="off"
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
