import { useTranslation } from 'react-i18next'

import { Card, ProgressBar, TextLink } from '@/components/ui'
import { day, integer, percent } from '@/lib/figures'

import { useNoteQuality } from '../api/notes'

// Below it an answer counts as not grounded, as on the quality page.
const GROUNDED = 0.5

/** How the answers fared that were given a note: how many, how good by week, and misquotations. */
export function NoteQuality({ id }: { id: string }) {
  const { t } = useTranslation('notes')
  const { data: found } = useNoteQuality(id)
  if (!found) return null
  const { days, given, cited, scored, ungrounded, misquoted } = found
  return (
    <Card className="grid gap-3 text-sm" title={t('quality.title', { count: days })}>
      {given === 0 ? (
        <p className="text-muted-foreground">{t('quality.nobody')}</p>
      ) : (
        <p>
          {t('quality.used', { count: given, given: integer(given), cited: integer(cited) })}{' '}
          {scored > 0 &&
            t(ungrounded > 0 ? 'quality.scored' : 'quality.scoredWell', {
              mean: percent(found.correctness),
              low: integer(ungrounded),
            })}{' '}
          {cited > 0 && (
            <TextLink plain to={`/evaluations?cited_note=${id}&current=true&order=worst`}>
              {t('quality.see')}
            </TextLink>
          )}
        </p>
      )}
      {found.weeks.length > 1 && (
        <div className="grid gap-2">
          <h3 className="font-medium">{t('quality.weeks')}</h3>
          {found.weeks.map(({ week, cited: answers, correctness }) => (
            <ProgressBar
              key={week}
              label={t('quality.week', { day: day(week), answers: integer(answers) })}
              value={correctness ?? 0}
              text={percent(correctness)}
              tone={(correctness ?? 1) < GROUNDED ? 'danger' : 'neutral'}
            />
          ))}
        </div>
      )}
      {found.misquotes.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-medium">{t('quality.misquotes', { number: integer(misquoted) })}</h3>
          <ul className="grid gap-2">
            {found.misquotes.map(({ evaluation_id, question, quote }) => (
              <li key={evaluation_id} className="grid gap-1">
                <q className="break-words">{quote}</q>
                <TextLink plain to={`/evaluations/${evaluation_id}`}>
                  {question}
                </TextLink>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
