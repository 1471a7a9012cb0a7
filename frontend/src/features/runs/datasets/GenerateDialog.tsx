import { Sparkles } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Input, TriggeredDialog } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

import { useGenerate } from '../api/datasets'

import { NotebookSelect } from './NotebookSelect'

interface Props {
  /** Told the id of the job. */
  onStarted: (job: string) => void
}

export function GenerateDialog({ onStarted }: Props) {
  const { t } = useTranslation('runs')
  return (
    <TriggeredDialog
      title={t('generate.title')}
      description={t('generate.text')}
      trigger={
        <Button variant="primary" icon={Sparkles}>
          {t('generate.open')}
        </Button>
      }
    >
      {(close) => (
        <GenerateForm
          onStarted={(job) => {
            close()
            onStarted(job)
          }}
        />
      )}
    </TriggeredDialog>
  )
}

function GenerateForm({ onStarted }: Props) {
  const { t } = useTranslation('runs')
  const notebooks = useNotebooks()
  const generate = useGenerate()
  const [notebook, setNotebook] = useState('')

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    generate.mutate(
      {
        name: text(form, 'name').trim(),
        notebook_id: notebook,
        questions_per_chunk: Number(text(form, 'perChunk')),
        max_chunks_sample: Number(text(form, 'maxChunks')),
        seed: 0,
      },
      { onSuccess: ({ id }) => onStarted(id) },
    )
  }
  return (
    <form className="grid gap-3" onSubmit={submit}>
      <NotebookSelect
        label={t('generate.notebook')}
        value={notebook}
        onChange={setNotebook}
        hint={notebooks.data?.length === 0 ? t('generate.noNotebooks') : undefined}
      />
      <Input name="name" label={t('datasets.name')} required maxLength={200} pattern=".*\S.*" />
      <div className="grid grid-cols-2 items-end gap-3">
        <Input
          name="perChunk"
          type="number"
          label={t('generate.perChunk')}
          defaultValue={2}
          min={1}
          max={10}
          required
        />
        <Input
          name="maxChunks"
          type="number"
          label={t('generate.maxChunks')}
          defaultValue={50}
          min={1}
          max={2000}
          required
        />
      </div>
      {(generate.error ?? notebooks.error) && (
        <ErrorState error={generate.error ?? notebooks.error} />
      )}
      <Button type="submit" className="justify-self-end" disabled={generate.isPending}>
        {t('generate.start')}
      </Button>
    </form>
  )
}

function text(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
