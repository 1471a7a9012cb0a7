import { BookmarkPlus, Link2, Pencil, Save, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useHref } from 'react-router'

import { ConfirmDialog, ErrorState } from '@/components/page'
import { Badge, Button, Select } from '@/components/ui'
import { personName } from '@/lib/names'
import { copyText, said, toast } from '@/lib/toast'

import { type SavedView, type Shown, useDeleteView, useSaveView, useUpdateView } from '../api/views'
import { useLabelSettings } from '../label/useLabelSettings'
import { shortMoment } from '../scores'

import { ViewNameDialog } from './ViewNameDialog'
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
    <section aria-label={t('views.label')} className="grid gap-1 max-lg:w-full empty:hidden">
      <div className="flex flex-wrap items-center gap-2 lg:justify-end empty:hidden">
        {views.data && views.data.length > 0 && (
          <div className="min-w-44 flex-1">
            <Select
              label={t('views.label')}
              hideLabel
              className="min-h-9"
              value={view?.id ?? ''}
              onValue={(viewId) => {
                const chosen = views.data.find(({ id }) => id === viewId)
                if (chosen) setFilters(openedAs(chosen).changes)
                else leave()
              }}
              options={views.data.map(({ id, name }) => ({ value: id, text: name }))}
              none={t('views.none')}
            />
          </div>
        )}
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
          <Button size="sm" onClick={leave}>
            {t('views.leave')}
          </Button>
        </div>
      )}
    </section>
  )
}

function About({ view, changed }: { view: SavedView; changed: boolean }) {
  const { t } = useTranslation('evaluations')
  const { leftOut } = openedAs(view)
  return (
    <>
      <p className="text-muted-foreground flex flex-wrap items-center gap-2 text-sm">
        {t('views.madeBy', {
          author: personName(view.author),
          when: shortMoment(view.created_at),
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

/** Saves what the list shows as a new view. */
function SaveView({ shown, onSaved }: { shown: Shown; onSaved: (view: SavedView) => void }) {
  const { t } = useTranslation('evaluations')
  const { settings } = useLabelSettings()
  const save = useSaveView()
  return (
    <ViewNameDialog
      trigger={
        <Button size="sm" icon={BookmarkPlus}>
          {t('views.save')}
        </Button>
      }
      title={t('views.saveTitle')}
      description={t('views.saveText')}
      request={save}
      onSubmit={(name, close) =>
        save.mutate(
          { ...shown, name, author: settings.author || null },
          {
            onSuccess: (view) => {
              close()
              toast(t('views.saved', { name: view.name }), 'success')
              onSaved(view)
            },
          },
        )
      }
    />
  )
}

interface ViewActionsProps {
  view: SavedView
  changed: boolean
  shown: Shown
  onDeleted: () => void
}

/** What can be done with the view that is open. */
function ViewActions({ view, changed, shown, onDeleted }: ViewActionsProps) {
  return (
    <>
      {changed && <Replace view={view} shown={shown} />}
      <CopyLink view={view} />
      <Rename view={view} />
      <Delete view={view} onDeleted={onDeleted} />
    </>
  )
}

function Replace({ view, shown }: { view: SavedView; shown: Shown }) {
  const { t } = useTranslation('evaluations')
  const update = useUpdateView(view.id)
  return (
    <Button
      size="sm"
      disabled={update.isPending}
      onClick={() => update.mutate(shown, said(t('views.replaced', { name: view.name })))}
      icon={Save}
    >
      {t('views.replace')}
    </Button>
  )
}

function CopyLink({ view }: { view: SavedView }) {
  const { t } = useTranslation('evaluations')
  const address = new URL(useHref(`/evaluations?view=${view.id}`), window.location.origin).href
  return (
    <Button
      size="sm"
      onClick={() => copyText(address, t('views.copied'), t('views.copyByHand', { address }))}
      icon={Link2}
    >
      {t('views.copy')}
    </Button>
  )
}

function Rename({ view }: { view: SavedView }) {
  const { t } = useTranslation('evaluations')
  const update = useUpdateView(view.id)
  return (
    <ViewNameDialog
      trigger={
        <Button size="sm" icon={Pencil}>
          {t('views.rename')}
        </Button>
      }
      title={t('views.renameTitle')}
      description={t('views.renameText')}
      name={view.name}
      request={update}
      onSubmit={(name, close) => update.mutate({ name }, { onSuccess: close })}
    />
  )
}

function Delete({ view, onDeleted }: { view: SavedView; onDeleted: () => void }) {
  const { t } = useTranslation(['evaluations', 'common'])
  const request = useDeleteView(view.id)
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" icon={Trash2}>
          {t('common:delete')}
        </Button>
      }
      title={t('views.deleteTitle', { name: view.name })}
      description={t('views.deleteText')}
      action={t('common:delete')}
      request={request}
      input={undefined}
      done={t('views.deleted', { name: view.name })}
      onDone={onDeleted}
    />
  )
}
