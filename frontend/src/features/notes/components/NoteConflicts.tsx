import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Card, TextLink } from '@/components/ui'
import { integer } from '@/lib/figures'

import { useNoteConflicts } from '../api/notes'

/** What other notes may say otherwise, sentence beside sentence, and its copies. Without them, and
 * while they are looked for, there is nothing to show. */
export function NoteConflicts({ id }: { id: string }) {
  const { t } = useTranslation('notes')
  const { data: found } = useNoteConflicts(id)
  if (!found || found.conflicts.length + found.copies.length === 0) return null
  const { conflicts, copies } = found
  return (
    <Card className="grid gap-4 text-sm" title={t('conflicts.title')}>
      {conflicts.length > 0 && (
        <>
          <p className="text-muted-foreground">
            {t('conflicts.lead', { number: integer(conflicts.length) })}
          </p>
          <ul className="divide-border grid gap-3 divide-y">
            {conflicts.map(({ note, ours, theirs, differs }) => (
              <li
                key={`${ours} ${theirs}`}
                className="grid gap-x-4 gap-y-2 pt-3 first:pt-0 sm:grid-cols-2"
              >
                <Said where={t('conflicts.here')} text={ours} />
                <Said
                  where={
                    <TextLink plain to={`/notes/${note.id}`}>
                      {note.title || t('untitled')}
                    </TextLink>
                  }
                  text={theirs}
                />
                {differs && (
                  <p className="text-muted-foreground sm:col-span-2">
                    {t('conflicts.differs', { differs })}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {copies.length > 0 && (
        <div className="grid gap-1">
          <h3 className="font-medium">{t('conflicts.copies')}</h3>
          <ul className="grid gap-1">
            {copies.map(({ id: copy, title }) => (
              <li key={copy}>
                <TextLink plain to={`/notes/${copy}`}>
                  {title || t('untitled')}
                </TextLink>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function Said({ where, text }: { where: ReactNode; text: string }) {
  return (
    <div className="grid content-start gap-1">
      <p className="font-medium break-words">{where}</p>
      <q className="bg-warning-soft text-warning-foreground rounded-md p-2 break-words">{text}</q>
    </div>
  )
}
