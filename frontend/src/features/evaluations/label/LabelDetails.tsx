import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Card } from '@/components/ui'
import { cn } from '@/lib/cn'

import { Key } from './KeyHelp'
import type { Draft, LabelSession } from './labelSession'
import { UTILITY_KEYS } from './options'

interface Props {
  draft: Draft
  session: LabelSession
  keys: boolean
}

/** What one may say beside the label. */
export function LabelDetails({ draft, session, keys }: Props) {
  const { t } = useTranslation('evaluations')
  const id = useId()
  const { label, utility, comment } = draft
  return (
    <Card className="grid gap-3 text-sm">
      <div role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-2">
        <span id={id} className="font-medium">
          {t('label.utility')}
        </span>
        {UTILITY_KEYS.map(({ key, value }) => (
          <Button
            key={value}
            variant="outline"
            size="sm"
            aria-pressed={utility === value}
            className={cn(utility === value && 'bg-accent text-accent-foreground')}
            onClick={() => session.edit({ utility: utility === value ? null : value })}
          >
            {t(`utilities.${value}`)}
            {keys && <Key name={key} />}
          </Button>
        ))}
      </div>
      <div className="grid gap-1">
        <label htmlFor="label-comment" className="font-medium">
          {t('feedback.comment')} {keys && <Key name="c" />}
        </label>
        <textarea
          id="label-comment"
          rows={1}
          maxLength={4000}
          defaultValue={comment}
          className="bg-card border-input min-h-10 w-full rounded-md border px-3 py-2"
          onChange={({ target }) => session.write({ comment: target.value })}
          onBlur={({ target }) => session.edit({ comment: target.value.trim() })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur()
          }}
        />
      </div>
      {label === null && (utility !== null || comment !== '') && (
        <p className="text-muted-foreground">{t('label.storedWithLabel')}</p>
      )}
    </Card>
  )
}
