import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { ErrorState } from '@/components/page'
import { Badge, Button, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { CaseEvidence } from '../CaseEvidence'
import { type Run, useFindings, useResults } from '../api/runs'
import { figure } from '../figures'
import { JUDGED } from '../generation'

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
        <Button className="mt-3" onClick={() => setShown(until + AT_ONCE)}>
          {t('common:more')}
        </Button>
      )}
    </section>
  )
}

// By then what stands above a result has come.
const SETTLED_MS = 3000

interface Props {
  runId: string
  result: Schema<'ResultView'>
  reading: Schema<'CaseReading'>
  /** Open from the beginning, and in view. */
  chosen?: boolean
}

function CaseResult({ runId, result, reading, chosen = false }: Props) {
  const [open, setOpen] = useState(chosen)
  const summary = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!chosen) return
    const intoView = () => summary.current?.scrollIntoView({ block: 'start' })
    intoView()
    summary.current?.focus({ preventScroll: true })
    // What loads above it moves it, until the reader does.
    const observer = new ResizeObserver(intoView)
    observer.observe(document.body)
    const leave = () => observer.disconnect()
    const until = AbortSignal.timeout(SETTLED_MS)
    until.addEventListener('abort', leave)
    for (const event of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      addEventListener(event, leave, { once: true, signal: until })
    return leave
  }, [chosen])
  return (
    <details
      open={open}
      className="group bg-card border-border rounded-lg border"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary
        ref={summary}
        className="scroll-mt-20 flex flex-wrap items-center justify-between gap-2 p-3 lg:flex-nowrap"
      >
        <span className="line-clamp-3 font-medium group-open:line-clamp-none">
          {result.question}
        </span>
        <Scores result={result} reading={reading} />
      </summary>
      {open && (
        <div className="border-border grid gap-4 border-t p-4 text-sm">
          {result.error !== null && (
            <p className="bg-danger-soft text-danger-foreground rounded-md p-3">{result.error}</p>
          )}
          <CaseEvidence
            runId={runId}
            caseId={result.test_case_id}
            answer={result.generated_answer}
            state={reading.state}
          >
            <Reasons result={result} reading={reading} />
          </CaseEvidence>
        </div>
      )}
    </details>
  )
}

function Scores({ result, reading }: Omit<Props, 'runId' | 'chosen'>) {
  const { t } = useTranslation('runs')
  const unread = ({ faithfulness_decided: decided }: typeof result, metric: string) =>
    t(metric === 'faithfulness' && decided === false ? 'means.undecided' : 'cases.unread')
  return (
    <span className="flex flex-wrap gap-1 lg:shrink-0">
      {result.error !== null && <Badge variant="danger">{t('cases.failed')}</Badge>}
      {result.passed !== null && (
        <Badge variant={result.passed ? 'success' : 'danger'}>
          {result.mended_in === null
            ? t(result.passed ? 'cases.passes' : 'cases.notMended')
            : t('dataset.states.mended', { release: result.mended_in })}
        </Badge>
      )}
      {result.missing_chunk_ids.length > 0 && (
        <Badge variant="warning">
          {t('cases.missing', { count: result.missing_chunk_ids.length })}
        </Badge>
      )}
      <Badge variant={look(result.recall)}>
        {t('cases.recall')}{' '}
        {result.recall === null ? t('cases.notMeasured') : figure(result.recall)}
      </Badge>
      {JUDGED.map(
        (metric) =>
          result[metric] !== null && (
            <Badge key={metric} variant={look(reading[metric])}>
              {t(`metrics.${metric}`)}{' '}
              {reading[metric] === null ? unread(result, metric) : figure(reading[metric])}
            </Badge>
          ),
      )}
    </span>
  )
}

/** The colours of the bands of a score; none for what is not known. */
function look(score: number | null) {
  if (score === null) return 'neutral'
  if (score >= 0.6) return 'success'
  return score >= 0.4 ? 'warning' : 'danger'
}

/** What the judge says of each score. */
function Reasons({ result, reading }: Omit<Props, 'runId' | 'chosen'>) {
  const { t } = useTranslation('runs')
  return JUDGED.map((metric) => {
    const reasoning = result[`${metric}_reasoning`]
    return (
      reasoning && (
        <p key={metric} className="text-muted-foreground">
          {t(`metrics.${metric}`)} {figure(reading[metric])}: {reasoning}
        </p>
      )
    )
  })
}
