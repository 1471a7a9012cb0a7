import { OctagonAlert, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

import type { Run } from '../api/runs'
import { generationOf, JUDGED } from '../generation'

interface Props {
  run: Run
  summary: Schema<'RunSummary'>
}

/** What the means leave out. */
export function Caveats({ run, summary }: Props) {
  const { t } = useTranslation('runs')
  const { metrics, generation, failed } = summary
  const usable = generationOf(run)
  // With every case failed the judge was never heard.
  const silent = run.evaluation_type === 'full_rag' && !usable && run.cases > 0
  const unread = usable
    ? JUDGED.filter((metric) => usable[metric].scored > usable[metric].parsed)
    : []
  const notes = [
    ...(metrics === null ? [t('means.noCase')] : []),
    ...(metrics?.missing_chunks ? [t('means.missing', { count: metrics.missing_chunks })] : []),
    ...(failed ? [t('means.failed', { count: failed }), run.error_message ?? ''] : []),
    ...unread.map((metric) =>
      t('means.unread', {
        count: (generation?.[metric].scored ?? 0) - (generation?.[metric].parsed ?? 0),
        metric: t(`metrics.${metric}`),
      }),
    ),
  ].filter(Boolean)
  return (
    <>
      {silent && (
        <p
          role="alert"
          className="bg-danger-soft text-danger-foreground flex gap-3 rounded-lg p-4 text-sm"
        >
          <OctagonAlert aria-hidden className="size-5 shrink-0" />
          {t('means.noQuality')}
        </p>
      )}
      {notes.length > 0 && (
        <div className="bg-warning-soft text-warning-foreground flex gap-3 rounded-lg p-4 text-sm">
          <TriangleAlert aria-hidden className="size-5 shrink-0" />
          <ul className="grid gap-1">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
