import { useTranslation } from 'react-i18next'

import type { Run } from '../api/runs'

import { Cases } from './Cases'
import { Caveats } from './Caveats'
import { Findings } from './Findings'
import { Means } from './Means'

/** What a run that has ended has measured. */
export function RunResults({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  return (
    <>
      {run.status !== 'completed' && (
        <p role="alert" className="bg-danger-soft text-danger-foreground rounded-lg p-4 text-sm">
          {t('detail.endedBy', { reason: run.error_message ?? t('detail.noReason') })}
        </p>
      )}
      {run.summary && (
        <>
          <Caveats run={run} summary={run.summary} />
          <Means run={run} summary={run.summary} />
          <Findings run={run} />
        </>
      )}
      <Cases run={run} />
    </>
  )
}
