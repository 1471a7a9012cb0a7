import { useTranslation } from 'react-i18next'

import { Answer } from '@/components/answer/Answer'
import { Badge } from '@/components/ui'
import { percent } from '@/lib/figures'

interface Props {
  first: string
  refined: string
  /** By how much the overall score (0 to 1) rose. */
  lift: number | null
  /** Titles of the notes that the refined answer rests on. */
  titles: readonly string[]
}

/** The first answer and the better one, side by side where there is room. */
export function RefinedAnswer({ first, refined, lift, titles }: Props) {
  const { t } = useTranslation('ai')
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <section className="border-border min-w-0 rounded-md border p-3">
        <h3 className="text-muted-foreground mb-2 text-sm font-semibold">{t('chat.first')}</h3>
        <Answer text={first} />
      </section>
      <section className="border-success min-w-0 rounded-md border p-3">
        <h3 className="mb-2 flex flex-wrap items-center gap-2 text-sm font-semibold">
          {t('chat.refined')}
          {lift !== null && (
            <Badge variant="success">{t('chat.lift', { lift: percent(lift) })}</Badge>
          )}
        </h3>
        <Answer text={refined} />
        {titles.length > 0 && (
          <p className="text-muted-foreground mt-2 text-sm">
            {t('chat.matched')}: {titles.join(', ')}
          </p>
        )}
      </section>
    </div>
  )
}
