import { Gavel } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Form, Input, Select, TriggeredDialog } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useBenchEstimate, useStartBench } from '../api/benches'
import { count } from '../figures'
import { Estimate } from '../start/Estimate'

/** Feedback on drawn answers where there is any, all feedback, or a file. */
const SOURCES = ['feedback', 'all', 'file'] as const
type Source = (typeof SOURCES)[number]

const MAX_JUDGES = 6
const MAX_ITEMS = 20_000

export function StartBench() {
  const { t } = useTranslation('runs')
  return (
    <TriggeredDialog
      title={t('benches.open')}
      description={t('benches.text')}
      trigger={
        <Button variant="primary" icon={Gavel}>
          {t('benches.open')}
        </Button>
      }
    >
      <BenchForm />
    </TriggeredDialog>
  )
}

/** First says what the bench would take, then starts it. */
function BenchForm() {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const estimate = useBenchEstimate()
  const start = useStartBench()
  const [source, setSource] = useState<Source>('feedback')
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [judges, setJudges] = useState('offline')
  const [limit, setLimit] = useState('')
  const [agreed, setAgreed] = useState(false)

  const named = judges.split(/[\s,]+/).filter(Boolean)
  const judgesFit = named.length >= 1 && named.length <= MAX_JUDGES
  const limitFits = limit === '' || (/^[1-9]\d*$/.test(limit) && Number(limit) <= MAX_ITEMS)
  const request = {
    name: name.trim() === '' ? 'bench' : name.trim(),
    judges: named,
    file: source === 'file' ? file : null,
    labels: source === 'all' ? ('all' as const) : null,
    limit: limit === '' ? null : Number(limit),
  }
  const fits = judgesFit && limitFits && (source !== 'file' || file !== null)
  const known = estimate.data
  const ready = known !== undefined && (known.cost_usd === 0 || agreed)

  /** Another choice may cost something else. */
  const choose = (change: () => void) => {
    change()
    estimate.reset()
    start.reset()
    setAgreed(false)
  }
  const submit = () => {
    if (!fits) return
    if (!known) {
      estimate.mutate(request)
      return
    }
    if (!ready) return
    start.mutate(request, {
      onSuccess: ({ id }) => {
        toast(t('benches.started'), 'success')
        void navigate(`/benches/${id}`)
      },
    })
  }
  return (
    <Form className="grid gap-3" onSubmit={submit} noValidate>
      <Input
        label={t('benches.name')}
        value={name}
        maxLength={200}
        placeholder="bench"
        onChange={({ target }) => setName(target.value)}
      />
      <Select
        label={t('benches.source')}
        value={source}
        onValue={(chosen) => choose(() => setSource(chosen))}
        hint={t(`benches.sourceHints.${source}`)}
        options={SOURCES.map((each) => ({ value: each, text: t(`benches.sources.${each}`) }))}
      />
      {source === 'file' && (
        <Input
          type="file"
          className="py-2"
          label={t('benches.file')}
          hint={t('benches.fileHint')}
          accept=".jsonl,.json"
          onChange={({ target }) => choose(() => setFile(target.files?.[0] ?? null))}
        />
      )}
      <Input
        label={t('benches.judges')}
        hint={t(source === 'file' ? 'benches.judgesHint' : 'benches.judgesStored')}
        error={judgesFit ? undefined : t('benches.judgesRange')}
        value={judges}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => choose(() => setJudges(target.value))}
      />
      <Input
        label={t('benches.limit')}
        hint={t('benches.limitHint')}
        error={limitFits ? undefined : t('benches.limitRange')}
        inputMode="numeric"
        value={limit}
        onChange={({ target }) => choose(() => setLimit(target.value))}
      />
      {estimate.error && <ErrorState error={estimate.error} />}
      {known && (
        <>
          <p className="text-sm">
            {t('benches.found', {
              items: count(known.items),
              hallucinated: count(known.hallucinated),
              rejected: count(known.rejected.length),
            })}
          </p>
          <Estimate estimate={known} error={null} agreed={agreed} onAgree={setAgreed} />
        </>
      )}
      {start.error && <ErrorState error={start.error} />}
      <Button
        type="submit"
        className="justify-self-end"
        disabled={!fits || estimate.isPending || start.isPending || (known && !ready)}
      >
        {known ? t('benches.start') : t('benches.estimate')}
      </Button>
    </Form>
  )
}
