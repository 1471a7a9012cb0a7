import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Card, CardTitle, Input } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useImports } from '../useImports'

import { Dropzone } from './Dropzone'
import { ImportRow } from './ImportRow'

/** Files of notes are dropped or chosen here, and each tells what became of it. */
export function ImportPanel({ notebooks }: { notebooks: readonly Schema<'NotebookRead'>[] }) {
  const { t } = useTranslation('notes')
  const [notebook, setNotebook] = useState('')
  const { imports, add, clear } = useImports()
  const listId = useId()
  const into = notebook.trim() || t('import.defaultNotebook')
  const inStep = (step: string) => imports.filter(({ state }) => state.step === step).length
  const done = inStep('stored')
  const refused = inStep('refused')
  return (
    <Card aria-labelledby={`${listId}-title`}>
      <CardTitle id={`${listId}-title`}>{t('import.title')}</CardTitle>
      <div className="grid items-start gap-4 md:grid-cols-[1fr_18rem]">
        <Dropzone onFiles={(files) => add(files, into)} />
        <Input
          label={t('import.notebook')}
          hint={t('import.notebookHint')}
          list={listId}
          maxLength={200}
          placeholder={t('import.defaultNotebook')}
          value={notebook}
          onChange={(event) => setNotebook(event.target.value)}
        />
        <datalist id={listId}>
          {notebooks.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
      </div>
      {imports.length > 0 && (
        <>
          <div className="mt-4 flex items-center justify-between gap-2">
            <p role="status" className="text-sm font-medium">
              {t('import.progress', { done, count: imports.length })}
              {refused > 0 && ` ${t('import.refusedCount', { count: refused })}`}
            </p>
            {done + refused > 0 && (
              <Button variant="ghost" size="sm" onClick={clear}>
                {t('import.clear')}
              </Button>
            )}
          </div>
          <ul
            aria-label={t('import.files')}
            className="divide-border mt-2 max-h-96 divide-y overflow-y-auto"
          >
            {imports.map((each) => (
              <ImportRow key={each.id} file={each.file} state={each.state} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
