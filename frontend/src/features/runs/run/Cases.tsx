import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'

import { useFindings, useResults, type Run } from '../api/runs'

import { CaseResult } from './CaseResult'

const AT_ONCE = 20

/** The results of the questions, worst first. */
export function Cases({ run }: { run: Run }) {
  const { t, i18n } = useTranslation(['runs', 'common'])
  const results = useResults(run.id)
  const findings = useFindings(run.id, i18n.language)
  const [shown, setShown] = useState(AT_ONCE)
  const error = results.error ?? findings.error
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={() => Promise.all([results.refetch(), findings.refetch()])}
      />
    )
  if (!results.data || !findings.data) return <Spinner />
  const byCase = new Map(results.data.results.map((result) => [result.test_case_id, result]))
  const { cases } = findings.data
  return (
    <section>
      <h2 className="mb-3 font-semibold">{t('cases.title')}</h2>
      {cases.length === 0 && <p className="text-muted-foreground text-sm">{t('cases.none')}</p>}
      <ol className="grid gap-2">
        {cases.slice(0, shown).map((reading) => {
          const result = byCase.get(reading.test_case_id)
          return (
            result && (
              <li key={reading.test_case_id}>
                <CaseResult runId={run.id} result={result} reading={reading} />
              </li>
            )
          )
        })}
      </ol>
      {shown < cases.length && (
        <Button
          variant="outline"
          className="mt-3"
          onClick={() => {
            setShown(shown + AT_ONCE)
          }}
        >
          {t('common:more')}
        </Button>
      )}
    </section>
  )
}
