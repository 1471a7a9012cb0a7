import { useTranslation } from 'react-i18next'

import { ErrorState, PageHeader } from '@/components/page'
import { Input } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

import { ImportPanel } from './components/ImportPanel'
import { NoteList } from './components/NoteList'
import { NotebookList } from './components/NotebookList'
import { useNoteFilters } from './useNoteFilters'

export function NotesPage() {
  const { t } = useTranslation('notes')
  const { data: notebooks = [], error, refetch } = useNotebooks()
  const { filters, setNotebook, typeTitle } = useNoteFilters()
  const names = new Map(notebooks.map(({ id, name }) => [id, name]))
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="grid gap-6">
        <ImportPanel notebooks={notebooks} />
        {error && <ErrorState error={error} onRetry={refetch} />}
        <div className="grid items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-8">
          <NotebookList notebooks={notebooks} chosen={filters.notebookId} onChoose={setNotebook} />
          <div className="grid gap-4">
            <Input
              type="search"
              label={t('filter')}
              maxLength={200}
              defaultValue={filters.title}
              onChange={(event) => typeTitle(event.target.value)}
            />
            <NoteList filters={filters} notebookNames={names} />
          </div>
        </div>
      </div>
    </>
  )
}
