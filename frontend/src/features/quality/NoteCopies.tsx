import { useTranslation } from 'react-i18next'

import { TextLink } from '@/components/ui'

/** A link to each of several notes with the same text; nothing for one note. */
export function NoteCopies({ title, ids }: { title: string; ids: readonly string[] }) {
  const { t } = useTranslation('quality')
  if (ids.length < 2) return null
  return (
    <span className="text-muted-foreground col-span-full flex flex-wrap gap-x-3 text-xs sm:order-last">
      {ids.map((id, at) => {
        const copy = t('notes.copy', { number: at + 1 })
        return (
          <TextLink key={id} plain to={`/notes/${id}`} aria-label={`${title}: ${copy}`}>
            {copy}
          </TextLink>
        )
      })}
    </span>
  )
}
