import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { type Column } from '@/components/page'
import { Button } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { WideTable } from '../WideTable'
import { count } from '../figures'

type Case = Schema<'CaseView'>

const PER_PAGE = 50

export function CaseList({ cases }: { cases: readonly Case[] }) {
  const { t } = useTranslation('runs')
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(cases.length / PER_PAGE))
  const columns: Column<Case>[] = [
    { key: 'question', header: t('dataset.question'), cell: ({ question }) => question },
    {
      key: 'answer',
      header: t('dataset.answer'),
      cell: ({ reference_answer }) => reference_answer ?? '–',
    },
    { key: 'lang', header: t('dataset.language'), cell: ({ lang }) => lang },
    {
      key: 'passages',
      header: t('dataset.passages'),
      cell: ({ ground_truth_chunk_ids }) => count(ground_truth_chunk_ids.length),
      numeric: true,
    },
  ]
  return (
    <>
      <WideTable
        caption={t('dataset.cases')}
        columns={columns}
        rows={cases.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        rowKey={({ id }) => id}
      />
      {pages > 1 && (
        <nav aria-label={t('dataset.cases')} className="mt-3 flex items-center gap-3 text-sm">
          <Button
            variant="outline"
            size="sm"
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            {t('dataset.previous')}
          </Button>
          <span role="status">{t('dataset.page', { page, pages })}</span>
          <Button
            variant="outline"
            size="sm"
            disabled={page === pages}
            onClick={() => setPage(page + 1)}
          >
            {t('dataset.next')}
          </Button>
        </nav>
      )}
    </>
  )
}
