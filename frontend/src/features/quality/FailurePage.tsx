import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { DataTable, ErrorState, Facts, PageHeader } from '@/components/page'
import { Button, ButtonLink, Card, Form, Input, Spinner, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { date, integer, moment } from '@/lib/figures'

import { FailureState, Fault, NoteName } from './FailuresPage'
import { useChangeFailure, useFailure } from './api/analytics'

type Detail = Schema<'RecurringFailureDetail'>

/** One group of doubted answers: who takes care of it, and what it looks like. */
export function FailurePage() {
  const { t } = useTranslation('quality')
  const { id = '' } = useParams()
  const { data: failure, error, refetch } = useFailure(id)
  return (
    <>
      <PageHeader title={failure?.name ?? t('failures.title')}>
        <ButtonLink to="/failures" size="sm" icon={ArrowLeft}>
          {t('failures.back')}
        </ButtonLink>
      </PageHeader>
      {!failure && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {failure && (
        <div className="grid gap-4">
          <Card>
            <FailureFacts failure={failure} />
          </Card>
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid min-w-0 gap-4 lg:order-last">
              <Change failure={failure} />
              <SeenIn failure={failure} />
            </div>
            <Examples failure={failure} />
          </div>
        </div>
      )}
    </>
  )
}

function FailureFacts({ failure }: { failure: Detail }) {
  const { t } = useTranslation('quality')
  return (
    <Facts
      facts={[
        [t('failures.columns.state'), <FailureState key="state" of={failure} />],
        [t('failures.columns.fault'), <Fault key="fault" of={failure} />],
        [t('failures.columns.note'), <NoteName key="note" of={failure} />],
        [t('failures.facts.answers'), integer(failure.answers)],
        [t('failures.facts.first'), date(failure.first_seen_at)],
        [t('failures.columns.last'), date(failure.last_seen_at)],
      ]}
    />
  )
}

function Change({ failure }: { failure: Detail }) {
  const { t } = useTranslation('quality')
  const { mutate, isPending, isSuccess, error } = useChangeFailure(failure.id)
  const [typed, setTyped] = useState<string>()
  const owner = typed ?? failure.owner ?? ''
  const [release, setRelease] = useState('')
  const { state } = failure
  return (
    <Card className="grid gap-4" aria-label={t('failures.change')}>
      <Form className="grid gap-2" onSubmit={() => mutate({ owner: owner.trim() || null })}>
        <Input
          label={t('failures.columns.owner')}
          value={owner}
          maxLength={200}
          onValue={setTyped}
        />
        <Button
          type="submit"
          variant="outline"
          className="justify-self-start"
          disabled={isPending || owner.trim() === (failure.owner ?? '')}
        >
          {t('failures.save')}
        </Button>
      </Form>
      {state !== 'mended' && (
        <Form
          className="grid gap-2"
          onSubmit={() => mutate({ state: 'mended', mended_in: release.trim() || null })}
        >
          <Input
            label={t('failures.release')}
            hint={t('failures.releaseHint')}
            value={release}
            maxLength={200}
            onValue={setRelease}
          />
          <Button type="submit" className="justify-self-start" disabled={isPending}>
            {t('failures.mend')}
          </Button>
        </Form>
      )}
      <div className="flex flex-wrap gap-2">
        {(['ignored', 'open'] as const)
          .filter((each) => each !== state)
          .map((each) => (
            <Button key={each} disabled={isPending} onClick={() => mutate({ state: each })}>
              {t(each === 'open' ? 'failures.open' : 'failures.ignore')}
            </Button>
          ))}
      </div>
      {error && <ErrorState error={error} />}
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {isSuccess && t('failures.saved')}
      </p>
    </Card>
  )
}

function Examples({ failure: { id, examples } }: { failure: Detail }) {
  const { t } = useTranslation('quality')
  return (
    <Card className="grid min-w-0 gap-3" aria-label={t('failures.examples')}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold">{t('failures.examples')}</h2>
        <TextLink to={`/evaluations?failure_id=${id}&current=true`} className="text-sm">
          {t('failures.evaluations')}
        </TextLink>
      </div>
      {examples.length === 0 && (
        <p className="text-muted-foreground text-sm">{t('failures.noExamples')}</p>
      )}
      <ul className="divide-border divide-y">
        {examples.map((example) => (
          <li key={example.evaluation_id} className="grid gap-1 py-3 break-words">
            <TextLink to={`/evaluations/${example.evaluation_id}`}>{example.question}</TextLink>
            {example.claim !== null && <p>{example.claim}</p>}
            <p className="text-muted-foreground text-sm">
              {[example.reasoning, example.app_version, moment(example.answered_at)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function SeenIn({ failure: { seen_in } }: { failure: Detail }) {
  const { t } = useTranslation('quality')
  if (seen_in.length === 0) return null
  return (
    <Card className="min-w-0">
      <DataTable
        caption={t('failures.seenIn')}
        showCaption
        rows={seen_in}
        columns={[
          [
            t('failures.columns.releases'),
            ({ app_version }) => app_version ?? t('failures.noRelease'),
          ],
          [t('failures.columns.answers'), ({ answers }) => integer(answers), 'numeric'],
          [t('failures.columns.last'), ({ last_seen_at }) => date(last_seen_at), 'nowrap'],
        ]}
      />
    </Card>
  )
}
