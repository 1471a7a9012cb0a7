import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { RequestForm } from '@/components/page'
import { Button, Input, TriggeredDialog } from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
import { useNotebooks } from '@/hooks/workspace'

import { useGenerate } from '../api/datasets'

import { NotebookSelect } from './NotebookSelect'

const MOST = { perChunk: 10, maxChunks: 2000 }

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
  const { draft, field } = useDraft({ notebook: '', name: '', perChunk: '2', maxChunks: '50' })
  const submit = () =>
    generate.mutate(
      {
        name: draft.name.trim(),
        notebook_id: draft.notebook,
        questions_per_chunk: Number(draft.perChunk),
        max_chunks_sample: Number(draft.maxChunks),
        seed: 0,
      },
      { onSuccess: ({ id }) => onStarted(id) },
    )
  return (
    <RequestForm
      request={{ ...generate, error: generate.error ?? notebooks.error }}
      action={t('generate.start')}
      onSubmit={submit}
    >
      <NotebookSelect
        label={t('generate.notebook')}
        hint={notebooks.data?.length === 0 ? t('generate.noNotebooks') : undefined}
        {...field('notebook')}
      />
      <Input
        label={t('datasets.name')}
        required
        maxLength={200}
        pattern=".*\S.*"
        {...field('name')}
      />
      <div className="grid grid-cols-2 items-end gap-3">
        {(['perChunk', 'maxChunks'] as const).map((name) => (
          <Input
            key={name}
            type="number"
            label={t(`generate.${name}`)}
            min={1}
            max={MOST[name]}
            required
            {...field(name)}
          />
        ))}
      </div>
    </RequestForm>
  )
}
