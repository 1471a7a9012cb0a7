import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Spinner } from '@/components/ui'

import { useFindings, useResults, type Run } from '../api/runs'

import { CaseResult } from './CaseResult'

const AT_ONCE = 20

/** The results of the questions, worst first. `?case=` opens that one. */
export function Cases({ run }: { run: Run }) {
  const { t, i18n } = useTranslation(['runs', 'common'])
  const results = useResults(run.id)
  const findings = useFindings(run.id, i18n.language)
  const [shown, setShown] = useState(AT_ONCE)
  const wanted = useSearchParams()[0].get('case')
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
  const place = cases.findIndex(({ test_case_id }) => test_case_id === wanted)
  const until = Math.max(shown, place + 1)
  return (
    <section>
      <h2 className="mb-3 font-semibold">{t('cases.title')}</h2>
      {cases.length === 0 && <p className="text-muted-foreground text-sm">{t('cases.none')}</p>}
      {wanted !== null && place === -1 && <p role="alert">{t('cases.notThere')}</p>}
      <ol className="grid gap-2">
        {cases.slice(0, until).map((reading) => {
          const result = byCase.get(reading.test_case_id)
          return (
            result && (
              <li key={reading.test_case_id}>
                <CaseResult
                  runId={run.id}
                  result={result}
                  reading={reading}
                  chosen={reading.test_case_id === wanted}
                />
              </li>
            )
          )
        })}
      </ol>
      {until < cases.length && (
        <Button variant="outline" className="mt-3" onClick={() => setShown(until + AT_ONCE)}>
          {t('common:more')}
        </Button>
      )}
    </section>
  )
}
