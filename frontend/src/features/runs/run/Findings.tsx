import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, ProgressBar, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { type Run, useFindings } from '../api/runs'
import { figure, tone } from '../figures'

/** What the means say, and what to do about it; nothing for a run that measured only the search. */
export function Findings({ run }: { run: Run }) {
  const { t, i18n } = useTranslation('runs')
  const { data, error, refetch } = useFindings(run.id, i18n.language)
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  const { bands, diagnosis, patterns } = data
  if (bands.length === 0) return null
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-2">
        <Card>
          <CardTitle>{t('findings.bands')}</CardTitle>
          <div className="grid grid-cols-1 gap-4">
            {bands.map((band) => (
              <BandBar key={band.metric} band={band} />
            ))}
          </div>
        </Card>
        {diagnosis && (
          <Card>
            <CardTitle>{t('findings.diagnosis')}</CardTitle>
            <h3 className="font-semibold">{diagnosis.title}</h3>
            <Advice advice={diagnosis} />
          </Card>
        )}
      </div>
      <section>
        <h2 className="font-semibold">{t('findings.patterns')}</h2>
        <p className="text-muted-foreground mb-3 text-sm">{t('findings.patternsLead')}</p>
        <div className="grid gap-4 lg:grid-cols-2">
          {patterns.map((pattern) => (
            <PatternCard key={pattern.pattern} pattern={pattern} />
          ))}
        </div>
      </section>
    </>
  )
}

function BandBar({ band }: { band: Schema<'BandRead'> }) {
  const { t } = useTranslation('runs')
  return (
    <div className="grid gap-1">
      <ProgressBar
        label={t(`metrics.${band.metric}`)}
        value={band.score}
        tone={tone(band.band)}
        text={figure(band.score)}
      />
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge variant={tone(band.band)}>{band.grade}</Badge>
        {band.meaning}
      </p>
    </div>
  )
}

function PatternCard({ pattern }: { pattern: Schema<'PatternRead'> }) {
  const { t } = useTranslation('runs')
  return (
    <Card className={pattern.of_means ? 'border-primary border-2' : undefined}>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">{pattern.title}</h3>
        {pattern.of_means && <Badge variant="info">{t('findings.ofMeans')}</Badge>}
        <Badge>{t('findings.cases', { count: pattern.cases })}</Badge>
      </div>
      <Advice advice={pattern} />
    </Card>
  )
}

/** What is seen, why, and what to do. */
function Advice({
  advice,
}: {
  advice: Pick<Schema<'PatternRead'>, 'symptom' | 'cause' | 'actions'>
}) {
  const { t } = useTranslation('runs')
  return (
    <div className="mt-1 grid gap-2 text-sm">
      <p>{advice.symptom}</p>
      <p>
        <strong>{t('findings.cause')}:</strong> {advice.cause}
      </p>
      <div>
        <strong>{t('findings.actions')}</strong>
        <ul className="list-disc pl-5">
          {advice.actions.map((action) => (
            <li key={action}>{action}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
