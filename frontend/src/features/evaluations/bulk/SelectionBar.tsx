import { useMutation } from '@tanstack/react-query'
import { Download, Tags, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { Button } from '@/components/ui'
import { count } from '@/lib/figures'
import { toast, toastError } from '@/lib/toast'

import {
  type Format,
  MAX_SELECTED,
  type RejudgeRead,
  useExportSelected,
  useStartRejudge,
} from '../api/bulk'

import { RejudgeDialog } from './RejudgeDialog'
import type { Selected } from './useSelection'

interface Props {
  selected: Selected
  /** Chooses all that match; null where they are shown already. */
  onSelectAll: (() => Promise<void>) | null
  onRejudge: (started: RejudgeRead) => void
}

/** What can be done with the rows that are ticked, at the lower edge while the list scrolls. */
export function SelectionBar({ selected, onSelectAll, onRejudge }: Props) {
  const { t } = useTranslation('evaluations')
  const navigate = useNavigate()
  const { ids, matching } = selected
  const start = useStartRejudge()
  const chosen = t('bulk.selected', { count: ids.size, number: count(ids.size) })
  const limit = count(MAX_SELECTED)
  const capped = matching?.more ? 'bulk.cappedMore' : 'bulk.capped'
  const more = matching !== null && matching.matching > ids.size
  return (
    <>
      <p role="status" className="sr-only">
        {ids.size > 0 && chosen}
      </p>
      {ids.size > 0 && (
        <section
          aria-label={t('bulk.label')}
          className="bg-background border-border sticky bottom-0 z-20 -mx-4 mt-3 grid gap-2 border-t p-3 text-sm md:mx-0"
        >
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <p className="font-semibold">{chosen}</p>
            {onSelectAll && matching === null && <SelectAllMatching onSelect={onSelectAll} />}
            {more && <p>{t(capped, { matching: count(matching.matching), limit })}</p>}
            {!more && ids.size === MAX_SELECTED && <p>{t('bulk.full', { limit })}</p>}
          </div>
          <div className="flex flex-wrap gap-2">
            <RejudgeDialog
              variant="primary"
              size="sm"
              ids={[...ids]}
              start={async (choice) => onRejudge(await start([...ids], choice))}
            />
            <Button
              size="sm"
              onClick={() => {
                const state = { evaluationIds: [...ids] }
                void navigate('/label?source=chosen', { state })
              }}
              icon={Tags}
            >
              {t('bulk.labelThem')}
            </Button>
            <ExportSelected ids={[...ids]} format="csv" />
            <ExportSelected ids={[...ids]} format="jsonl" />
            <Button variant="ghost" size="sm" onClick={selected.clear} icon={X}>
              {t('bulk.clear')}
            </Button>
          </div>
        </section>
      )}
    </>
  )
}

/** These as a file; what has been deleted meanwhile is said to be missing. */
function ExportSelected({ ids, format }: { ids: string[]; format: Format }) {
  const { t } = useTranslation('evaluations')
  const request = useExportSelected()
  return (
    <Button
      size="sm"
      disabled={request.isPending}
      onClick={() =>
        request.mutate(
          { ids, format },
          {
            onSuccess: ({ file, count }) => {
              saveFile(file, `evaluations.${format}`)
              const missing = ids.length - count
              const text = t('bulk.exported', { count })
              toast(missing > 0 ? `${text} ${t('bulk.missing', { count: missing })}` : text)
            },
            onError: toastError,
          },
        )
      }
      icon={Download}
    >
      {t('export', { format: format.toUpperCase() })}
    </Button>
  )
}

/** Chooses what matches beyond the rows that are shown. */
function SelectAllMatching({ onSelect }: { onSelect: () => Promise<void> }) {
  const { t } = useTranslation('evaluations')
  const request = useMutation({ mutationFn: onSelect, onError: toastError })
  return (
    <Button
      variant="ghost"
      size="sm"
      className="underline underline-offset-2"
      disabled={request.isPending}
      onClick={() => request.mutate()}
    >
      {t('bulk.selectAll')}
    </Button>
  )
}

/** Has the browser save what was fetched, as a link with `download` would. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
