import { SlidersHorizontal } from 'lucide-react'
import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Input, Select, TriggeredDialog } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { cn } from '@/lib/cn'

import { isAge, MAX_CATEGORY, MAX_NAME, MAX_PROFILE, type Asked } from './asked'

interface Props {
  value: Asked
  onChange: (value: Asked) => void
}

/** Opens what goes with the questions: the notebook that is asked, who asks, and what another program
 * has found the question to be about. Says what of it is set. */
export function ContextButton({ value, onChange }: Props) {
  const { t } = useTranslation('chat')
  const { data: notebooks, error, refetch } = useNotebooks()
  const { notebookId, ...rest } = value
  const others = Object.values(rest).filter((text) => text.trim() !== '').length
  const notebook = notebooks?.find(({ id }) => id === notebookId)?.name
  const set = [...(notebook ? [notebook] : []), ...(others > 0 ? [`+${others}`] : [])].join(' ')
  const ageIsWrong = value.age.trim() !== '' && !isAge(value.age)
  const field = (name: Exclude<keyof Asked, 'notebookId'>, maxLength: number) => ({
    label: t(name),
    maxLength,
    value: value[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      onChange({ ...value, [name]: target.value }),
  })
  return (
    <TriggeredDialog
      title={t('context')}
      description={t('contextText')}
      trigger={
        <Button
          variant="ghost"
          className={cn('max-w-40 px-3', set && 'bg-accent text-accent-foreground')}
          title={t('context')}
          icon={SlidersHorizontal}
        >
          <span className={cn('truncate', !set && 'max-sm:sr-only')}>
            <span className={set && 'sr-only'}>{t('context')}</span> {set}
          </span>
        </Button>
      }
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      <div className="grid items-start gap-row sm:grid-cols-2">
        <Select
          label={t('notebook')}
          value={notebookId}
          onValue={(id) => onChange({ ...value, notebookId: id })}
          options={
            notebooks?.map(({ id, name, notes }) => ({
              value: id,
              text: t('notebookOption', { name, count: notes }),
            })) ?? []
          }
          none={t('allNotebooks')}
        />
        <Input {...field('profile', MAX_PROFILE)} hint={t('profileHint')} />
        <Input
          {...field('age', 3)}
          inputMode="numeric"
          error={ageIsWrong ? t('ageMistake') : undefined}
        />
        <Input {...field('sex', MAX_NAME)} />
        <Input {...field('conditions', MAX_PROFILE)} hint={t('several')} />
        <Input {...field('medications', MAX_PROFILE)} hint={t('several')} />
        <Input {...field('major', MAX_CATEGORY)} hint={t('majorHint')} />
        <Input {...field('minor', MAX_CATEGORY)} />
      </div>
    </TriggeredDialog>
  )
}
