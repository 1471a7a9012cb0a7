import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Button, Select } from '@/components/ui'

import type { SavedView } from '../api/views'
import { moment } from '../scores'

import { SaveView } from './SaveView'
import { ViewActions } from './ViewActions'
import { isChanged, isLink, openedAs, shownBy, withoutView } from './savedView'
import type { useOpenView } from './useOpenView'

interface Props {
  params: URLSearchParams
  setFilters: (changes: Record<string, string | undefined>) => void
  opened: ReturnType<typeof useOpenView>
}

/** Saved views: opened, saved, and what is open and what of it cannot be shown. */
export function ViewsBar({ params, setFilters, opened }: Props) {
  const { t } = useTranslation('evaluations')
  const { views, view, isGone, isOpening } = opened
  const changed = view !== undefined && !isOpening && isChanged(params, view)
  const leave = () => setFilters(withoutView())
  if (views.isError) return <ErrorState error={views.error} onRetry={views.refetch} />
  return (
    <section aria-label={t('views.label')} className="mb-4 grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-full sm:w-64">
          <Select
            label={t('views.label')}
            value={view?.id ?? ''}
            onChange={({ target }) => {
              const chosen = views.data?.find(({ id }) => id === target.value)
              if (chosen) setFilters(openedAs(chosen).changes)
              else leave()
            }}
          >
            <option value="">{t('views.none')}</option>
            {views.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        {(changed || (!view && !isLink(params))) && (
          <SaveView
            shown={shownBy(params)}
            onSaved={(saved) => setFilters(openedAs(saved).changes)}
          />
        )}
        {view && (
          <ViewActions view={view} changed={changed} shown={shownBy(params)} onDeleted={leave} />
        )}
      </div>
      {view && <About view={view} changed={changed} />}
      {isGone && (
        <div role="status" className="flex flex-wrap items-center gap-2 text-sm">
          {t('views.gone')}
          <Button variant="outline" size="sm" onClick={leave}>
            {t('views.leave')}
          </Button>
        </div>
      )}
    </section>
  )
}

function About({ view, changed }: { view: SavedView; changed: boolean }) {
  const { t, i18n } = useTranslation('evaluations')
  const { leftOut } = openedAs(view)
  return (
    <>
      <p className="text-muted-foreground flex flex-wrap items-center gap-2 text-sm">
        {t('views.madeBy', {
          author: view.author,
          when: moment(view.created_at, i18n.language, 'short'),
        })}
        {changed && <Badge variant="info">{t('views.changed')}</Badge>}
      </p>
      {leftOut.length > 0 && (
        <p role="status" className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
          {t('views.leftOut')} <span className="font-mono wrap-anywhere">{leftOut.join(', ')}</span>
        </p>
      )}
    </>
  )
}
