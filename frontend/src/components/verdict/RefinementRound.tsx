import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'

type Round = Schema<'IterationView'>

/** One round of an improvement: what was searched for and found, and how good the answer is. */
export function RefinementRound({ round }: { round: Round }) {
  const { t } = useTranslation('ai')
  const { position, documents, missing_info } = round
  return (
    <li className="border-border grid gap-1 border-l-2 pl-3">
      <p className="font-medium">
        {position === 0 ? t('refinement.first') : t('refinement.round', { number: position })}
      </p>
      <Query round={round} />
      {documents !== null && documents.length > 0 && (
        <p className="text-muted-foreground">
          {t('refinement.notes')}: {documents.map(({ title }) => title).join(', ')}
        </p>
      )}
      {round.answer !== null && position > 0 && (
        <p className="whitespace-pre-wrap">{round.answer}</p>
      )}
      <Scores round={round} />
      {missing_info !== null && missing_info.length > 0 && (
        <p className="text-muted-foreground">
          {t('refinement.missing')}: {missing_info.join('; ')}
        </p>
      )}
    </li>
  )
}

function Query({ round: { query, searched, rewritten_by } }: { round: Round }) {
  const { t } = useTranslation('ai')
  if (!searched) return <p>{t('refinement.sameNotes')}</p>
  if (rewritten_by === null) return null
  return (
    <p>
      {t(`refinement.rewritten.${rewritten_by as 'llm'}`)}: {query}
    </p>
  )
}

function Scores({ round }: { round: Round }) {
  const { t, i18n } = useTranslation('ai')
  const two = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const { overall_score, grounding, completeness, accuracy, correctness, utility } = round
  return (
    <>
      {overall_score !== null && (
        <p className="flex flex-wrap items-center gap-2">
          {t('refinement.scores', {
            overall: two.format(overall_score),
            grounding: two.format(grounding ?? 0),
            completeness: two.format(completeness ?? 0),
            accuracy: two.format(accuracy ?? 0),
          })}
          {round.heuristic && <Badge variant="warning">{t('refinement.heuristic')}</Badge>}
        </p>
      )}
      {correctness !== null && utility !== null && (
        <p>
          {t('refinement.verdict', {
            correctness: two.format(correctness),
            utility: two.format(utility),
          })}
        </p>
      )}
      {round.verdict_error !== null && (
        <p className="text-warning-foreground">
          {t('refinement.verdictError')}: {round.verdict_error}
        </p>
      )}
      {round.needs_retrieval !== null && overall_score !== null && (
        <p className="text-muted-foreground">
          {t(round.needs_retrieval ? 'refinement.search' : 'refinement.rewrite')}
        </p>
      )}
    </>
  )
}
