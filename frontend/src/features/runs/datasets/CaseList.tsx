import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { type Column, WideTable } from '@/components/page'
import { Badge, Button, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { count, moment } from '../figures'

type Case = Schema<'CaseView'>

const PER_PAGE = 50

export function CaseList({ cases }: { cases: readonly Case[] }) {
  const { t } = useTranslation('runs')
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(cases.length / PER_PAGE))
  const noted = cases.some(({ notes }) => notes.length > 0)
  const state: Column<Case> = {
    header: t('dataset.state'),
    cell: ({ state: found }) => <StateOfCase state={found} />,
  }
  const columns: Column<Case>[] = [
    { header: t('dataset.question'), cell: (row) => <Question row={row} /> },
    {
      header: t('dataset.answer'),
      cell: ({ reference_answer: answer, expects_refusal: refusal }) =>
        refusal ? t('dataset.refusal') : (answer ?? '–'),
    },
    ...(noted ? [state] : []),
    { header: t('dataset.language'), cell: ({ lang }) => lang },
    {
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
          <Button size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('dataset.previous')}
          </Button>
          <span role="status">{t('dataset.page', { page, pages })}</span>
          <Button size="sm" disabled={page === pages} onClick={() => setPage(page + 1)}>
            {t('dataset.next')}
          </Button>
        </nav>
      )}
    </>
  )
}

/** The question with the notes that its case brings, and the answer that it is made from. */
function Question({ row: { question, lang, notes, source } }: { row: Case }) {
  const { t } = useTranslation('runs')
  return (
    <div className="grid min-w-52 gap-1">
      <span lang={lang}>{question}</span>
      {source && <Source source={source} />}
      {notes.length > 0 && (
        <details className="text-sm font-normal">
          <summary>{t('dataset.notes', { count: notes.length })}</summary>
          <ol className="mt-2 grid max-w-prose gap-2" lang={lang}>
            {notes.map(({ title, content, deleted }, at) => (
              <li key={at} className="bg-muted rounded-md p-3">
                <p className="font-medium">
                  {at + 1}. {title}{' '}
                  {deleted && <Badge variant="warning">{t('dataset.noteDeleted')}</Badge>}
                </p>
                <p className="whitespace-pre-wrap">{content}</p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function Source({ source }: { source: Schema<'CaseSourceView'> }) {
  const { t } = useTranslation('runs')
  const { app_version: release, answered_at: answered, added_by: author, added_at: added } = source
  const from = [release, moment(answered)].filter(Boolean).join(' · ')
  return (
    <p className="text-muted-foreground text-xs font-normal">
      {source.deleted ? (
        t('dataset.answerDeleted', { from })
      ) : (
        <TextLink to={`/evaluations/${source.evaluation_id}`}>
          {t('dataset.fromAnswer', { from })}
        </TextLink>
      )}{' '}
      · {t('dataset.added', { author, when: moment(added) })}
    </p>
  )
}

const LOOKS = { failing: 'danger', passing: 'success', mended: 'success' } as const

function StateOfCase({ state }: Pick<Case, 'state'>) {
  const { t } = useTranslation('runs')
  if (!state) return t('dataset.states.unknown')
  const badge = (
    <Badge variant={LOOKS[state.state]}>
      {t(`dataset.states.${state.state}`, { release: state.release })}
    </Badge>
  )
  return state.run_id === null ? badge : <TextLink to={`/runs/${state.run_id}`}>{badge}</TextLink>
}
