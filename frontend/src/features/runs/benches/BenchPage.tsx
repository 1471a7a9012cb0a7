import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { ErrorState, Facts, PageHeader, TextWithCode, WideTable } from '@/components/page'
import { ButtonLink, Card, CardTitle, Spinner } from '@/components/ui'
import { currentLanguage } from '@/lib/language'
import { judgeName } from '@/lib/names'

import { RunStatus } from '../RunStatus'
import {
  type BenchDetail,
  type JudgeComparison,
  type JudgeDifference,
  useBench,
  useCancelBench,
} from '../api/benches'
import { hasEnded } from '../api/runs'
import { count, dollars, figure, interval, moment, signed } from '../figures'
import { RunProgress } from '../run/RunProgress'

import { JudgeResult } from './JudgeResult'

export function BenchPage() {
  const { t } = useTranslation('runs')
  const { id = '' } = useParams()
  const { data: bench, error, refetch } = useBench(id)
  const cancel = useCancelBench(id)
  return (
    <>
      <PageHeader title={t('benches.detail')} of={bench?.name} {...(bench && { lead: bench.name })}>
        {bench?.summary && <Reports id={id} />}
      </PageHeader>
      {error && <ErrorState error={error} onRetry={() => refetch()} />}
      {!bench && !error && <Spinner />}
      {bench && (
        <div className="grid grid-cols-1 gap-6">
          <About bench={bench} />
          {hasEnded(bench) ? (
            <Results bench={bench} />
          ) : (
            <RunProgress
              done={bench.done}
              total={bench.total}
              cancel={cancel}
              label={t('benches.cancel')}
            />
          )}
        </div>
      )}
    </>
  )
}

function Reports({ id }: { id: string }) {
  const { t } = useTranslation('runs')
  const formats = [
    ['html', t('benches.report')],
    ['markdown', t('detail.markdown')],
  ] as const
  return (
    <div className="flex flex-wrap gap-2">
      {formats.map(([format, text]) => (
        <ButtonLink
          key={format}
          href={`/evaluation/judge-benches/${id}/report?format=${format}`}
          download={`bench-${id}.${format === 'html' ? 'html' : 'md'}`}
        >
          {text}
        </ButtonLink>
      ))}
    </div>
  )
}

function About({ bench }: { bench: BenchDetail }) {
  const { t } = useTranslation('runs')
  const drawn = { items: count(bench.items), available: count(bench.available) }
  return (
    <section
      aria-label={t('detail.settings')}
      className="flex flex-wrap items-center gap-x-8 gap-y-3"
    >
      <RunStatus status={bench.status} />
      <Facts
        facts={[
          [t('benches.judges'), bench.judges.map((judge) => judgeName(judge)).join(', ')],
          [t('benches.source'), t(`benches.sources.${bench.source}`)],
          [t('benches.answers'), t('benches.drawn', drawn)],
          [t('benches.hallucinated'), count(bench.hallucinated)],
          [t('benches.rejected'), count(bench.rejected_lines)],
          [t('benches.threshold'), figure(bench.threshold)],
          [t('list.when'), moment(bench.created_at)],
        ]}
      />
      <p className="text-muted-foreground w-full text-sm">
        <TextWithCode text={bench.basis[currentLanguage()]} />
      </p>
    </section>
  )
}

function Results({ bench }: { bench: BenchDetail }) {
  const { t } = useTranslation('runs')
  return (
    <>
      {bench.status !== 'completed' && (
        <p role="alert" className="bg-danger-soft text-danger-foreground rounded-lg p-4 text-sm">
          {t('benches.endedBy', { reason: bench.error_message ?? t('detail.noReason') })}
        </p>
      )}
      {bench.summary && bench.summary.comparisons.length > 0 && (
        <Comparisons comparisons={bench.summary.comparisons} />
      )}
      {bench.summary?.judges.map((judge) => (
        <JudgeResult key={judge.judge} figures={judge} />
      ))}
      {bench.summary && bench.summary.differences.length > 0 && (
        <JudgePairs differences={bench.summary.differences} />
      )}
      {bench.rejected.length > 0 && (
        <details>
          <summary className="min-h-6 text-sm font-medium">{t('benches.rejected')}</summary>
          <ul className="mt-2 list-disc pl-5 text-sm">
            {bench.rejected.map(({ line, reason }) => (
              <li key={line}>{t('benches.line', { line, reason })}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Judges beside each other, on the answers that both have judged. */
function JudgePairs({ differences }: { differences: readonly JudgeDifference[] }) {
  const { t } = useTranslation('runs')
  const title = t('benches.differences')
  return (
    <Card>
      <CardTitle>{title}</CardTitle>
      <WideTable
        caption={title}
        columns={[
          [
            t('benches.judges'),
            ({ first, second }) =>
              t('benches.pair', { first: judgeName(first), second: judgeName(second) }),
          ],
          [
            t('means.metric'),
            ({ name }) => t(`benches.metrics.${name as 'f1'}`, { defaultValue: name }),
          ],
          [t('benches.answers'), ({ answers }) => count(answers), 'numeric'],
          [
            t('benches.difference'),
            ({ difference }) => (difference === null ? '–' : signed(difference)),
            'numeric',
          ],
          [t('means.interval'), (each) => interval(each.interval), 'numeric'],
          [
            t('benches.significant'),
            ({ significant }) => t(significant ? 'benches.yes' : 'benches.no'),
          ],
        ]}
        rows={differences}
      />
    </Card>
  )
}

/** Which judge agrees more with people, in words first. */
function Comparisons({ comparisons }: { comparisons: readonly JudgeComparison[] }) {
  const { t } = useTranslation('runs')
  const title = t('benches.comparisons')
  const both = (first: string, second: string) => `${first} · ${second}`
  return (
    <Card className="grid grid-cols-1 gap-4">
      <CardTitle className="mb-0">{title}</CardTitle>
      {comparisons.map(({ first, second, sentence }) => (
        <p key={`${first} ${second}`} className="font-medium">
          {sentence[currentLanguage()]}
        </p>
      ))}
      <WideTable
        caption={title}
        columns={[
          [t('benches.judges'), ({ first, second }) => both(judgeName(first), judgeName(second))],
          [t('benches.source'), ({ labels }) => count(labels), 'numeric'],
          [
            t('benches.agreement'),
            ({ agreement }) => both(figure(agreement.first), figure(agreement.second)),
            'numeric',
          ],
          [t('benches.difference'), ({ agreement }) => signed(agreement.difference), 'numeric'],
          [t('means.interval'), ({ agreement }) => interval(agreement.interval), 'numeric'],
          [
            t('benches.error'),
            ({ error }) => both(figure(error.first), figure(error.second)),
            'numeric',
          ],
          [t('benches.errorInterval'), ({ error }) => interval(error.interval), 'numeric'],
          [
            t('benches.costs'),
            ({ costs_per_1000_usd: [first, second] }) => both(dollars(first), dollars(second)),
            'numeric',
          ],
        ]}
        rows={comparisons}
      />
    </Card>
  )
}
