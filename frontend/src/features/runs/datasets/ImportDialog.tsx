import { Upload as UploadIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Form, Input, Select, TriggeredDialog } from '@/components/ui'
import { toast } from '@/lib/toast'

import { FORMATS, useImport, type Format } from '../api/datasets'

import { NotebookSelect } from './NotebookSelect'

export function ImportDialog() {
  const { t } = useTranslation('runs')
  return (
    <TriggeredDialog
      title={t('import.title')}
      description={t('import.text')}
      trigger={<Button icon={UploadIcon}>{t('import.open')}</Button>}
    >
      <ImportForm />
    </TriggeredDialog>
  )
}

function ImportForm() {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const upload = useImport()
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [format, setFormat] = useState<Format>('jsonl')
  const [notebookId, setNotebook] = useState('')
  const [tried, setTried] = useState(false)

  const choose = (chosen: File | null) => {
    setFile(chosen)
    if (chosen?.name.endsWith('.csv')) setFormat('csv')
    if (chosen && name === '') setName(chosen.name.replace(/\.[^.]*$/, ''))
  }
  const submit = () => {
    setTried(true)
    if (file === null) return
    upload.mutate(
      { file, name: name.trim(), format, notebookId },
      {
        onSuccess: ({ id }) => {
          toast(t('import.done'), 'success')
          void navigate(`/datasets/${id}`)
        },
      },
    )
  }
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <Input
        type="file"
        className="py-2"
        label={t('import.file')}
        accept=".jsonl,.json,.csv"
        error={tried && file === null ? t('import.noFile') : undefined}
        onChange={({ target }) => choose(target.files?.[0] ?? null)}
      />
      <Select
        label={t('import.format')}
        value={format}
        onValue={setFormat}
        options={FORMATS.map((known) => ({ value: known, text: t(`import.${known}`) }))}
      />
      <Input
        label={t('datasets.name')}
        value={name}
        required
        maxLength={200}
        pattern=".*\S.*"
        onChange={({ target }) => setName(target.value)}
      />
      <NotebookSelect
        label={t('import.notebook')}
        value={notebookId}
        onChange={setNotebook}
        none={t('import.anyNotebook')}
      />
      {upload.error && <ErrorState error={upload.error} />}
      <Button type="submit" className="justify-self-end" disabled={upload.isPending}>
        {t('import.start')}
      </Button>
    </Form>
  )
}
