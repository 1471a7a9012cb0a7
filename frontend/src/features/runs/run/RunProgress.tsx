import type { UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Card, ProgressBar } from '@/components/ui'
import { toast } from '@/lib/toast'

import { count } from '../figures'

interface Props {
  done: number
  total: number
  cancel: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>
  /** Of the button that cancels. */
  label: string
}

/** How far a run or a bench is, and the way to end it. */
export function RunProgress({ done, total, cancel, label }: Props) {
  const { t } = useTranslation('runs')
  const stop = () =>
    cancel.mutate(undefined, { onSuccess: () => toast(t('detail.cancelled'), 'success') })
  return (
    <Card className="grid gap-4">
      <ProgressBar
        label={t('detail.progress')}
        value={total ? done / total : 0}
        text={t('detail.of', { done: count(done), total: count(total) })}
      />
      {cancel.error && <ErrorState error={cancel.error} />}
      <Button className="justify-self-end" disabled={cancel.isPending} onClick={stop}>
        {label}
      </Button>
    </Card>
  )
}
