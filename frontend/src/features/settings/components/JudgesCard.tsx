import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Button, Card, CardTitle, Spinner } from '@/components/ui'
import { usePausedJudges, useResumeJudge } from '@/hooks/judges'
import { useWho } from '@/hooks/workspace'
import { toast } from '@/lib/toast'

import { JudgeLimits } from './JudgeLimits'

/** Judges that wait for somebody to mend them, and why; and the limits of their servers. */
export function JudgesCard() {
  const { t, i18n } = useTranslation('settings')
  const { data: paused, error, refetch } = usePausedJudges()
  const { data: who } = useWho()
  const resume = useResumeJudge()
  const time = (written: string) => new Date(written).toLocaleString(i18n.language)
  return (
    <Card aria-labelledby="judges-title">
      <CardTitle id="judges-title">{t('judges.title')}</CardTitle>
      {!paused && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {paused?.length === 0 && <p className="text-sm">{t('judges.allWork')}</p>}
      {resume.error && <ErrorState error={resume.error} />}
      {resume.isPending && <Spinner label={t('judges.watched', { model: resume.variables })} />}
      <ul className="divide-border divide-y">
        {paused?.map(({ judge_model: model, reason, paused_at, probe_at }) => (
          <li key={model} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div className="grid gap-1 text-sm">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {model} <Badge variant="warning">{t('judges.paused')}</Badge>
              </span>
              <span>{reason}</span>
              <span className="text-muted-foreground">
                {t('judges.times', { paused: time(paused_at), probe: time(probe_at) })}
              </span>
            </div>
            {who?.scopes.includes('operator') && (
              <Button
                variant="outline"
                aria-label={t('judges.resumeOne', { model })}
                disabled={resume.isPending}
                onClick={() =>
                  resume.mutate(model, {
                    onSuccess: (again) => {
                      if (again) {
                        toast(t('judges.pausedAgain', { model, reason: again.reason }), 'error')
                      } else toast(t('judges.resumed', { model }), 'success')
                    },
                  })
                }
              >
                {t('judges.resume')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(paused?.length ?? 0) > 0 && (
        <p className="text-muted-foreground mt-2 text-sm">
          {t('judges.wait')} {!who?.scopes.includes('operator') && t('judges.operatorOnly')}
        </p>
      )}
      <JudgeLimits />
    </Card>
  )
}
