import { Link2, Pencil, Save, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useHref } from 'react-router'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import { errorMessage } from '@/lib/errorMessage'
import { toast } from '@/lib/toast'

import { useDeleteView, useUpdateView, type SavedView, type Shown } from '../api/views'

import { ViewNameDialog } from './ViewNameDialog'

interface Props {
  view: SavedView
  changed: boolean
  shown: Shown
  onDeleted: () => void
}

/** What can be done with the view that is open. */
export function ViewActions({ view, changed, shown, onDeleted }: Props) {
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
  const { t: common } = useTranslation()
  const update = useUpdateView(view.id)
  return (
    <Button
      variant="outline"
      disabled={update.isPending}
      onClick={() =>
        update.mutate(shown, {
          onSuccess: () => toast(t('views.replaced', { name: view.name }), 'success'),
          onError: (error) => toast(errorMessage(error, common), 'error'),
        })
      }
    >
      <Save aria-hidden />
      {t('views.replace')}
    </Button>
  )
}

function CopyLink({ view }: { view: SavedView }) {
  const { t } = useTranslation('evaluations')
  const address = new URL(useHref(`/evaluations?view=${view.id}`), window.location.origin).href
  return (
    <Button
      variant="outline"
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(address)
          toast(t('views.copied'), 'success')
        } catch {
          // The clipboard is there for pages of https and of this machine only.
          toast(t('views.copyByHand', { address }))
        }
      }}
    >
      <Link2 aria-hidden />
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
        <Button variant="outline">
          <Pencil aria-hidden />
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
        <Button variant="outline">
          <Trash2 aria-hidden />
          {t('common:delete')}
        </Button>
      }
      title={t('views.deleteTitle', { name: view.name })}
      description={t('views.deleteText')}
      action={t('common:delete')}
      request={request}
      onConfirm={(close) =>
        request.mutate(undefined, {
          onSuccess: () => {
            close()
            toast(t('views.deleted', { name: view.name }), 'success')
            onDeleted()
          },
        })
      }
    />
  )
}
