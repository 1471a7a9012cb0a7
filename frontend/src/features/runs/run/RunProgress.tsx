import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ProgressBar } from '@/components/ui/progress-bar'
import { toast } from '@/lib/toast'

import { useCancelRun, type Run } from '../api/runs'
import { count } from '../figures'

export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const cancel = useCancelRun(run.id)
  const stop = () => {
    cancel.mutate(undefined, {
      onSuccess: () => {
        toast(t('detail.cancelled'), 'success')
      },
    })
  }
  return (
    <Card className="grid gap-4">
      <ProgressBar
        label={t('detail.progress')}
        value={run.cases ? run.done / run.cases : 0}
        text={t('detail.of', { done: count(run.done), total: count(run.cases) })}
      />
      {cancel.error && <ErrorState error={cancel.error} />}
      <Button
        variant="outline"
        className="justify-self-end"
        disabled={cancel.isPending}
        onClick={stop}
      >
        {t('detail.cancel')}
      </Button>
    </Card>
  )
}
