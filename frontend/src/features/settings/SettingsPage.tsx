import { ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { LanguageSwitch } from '@/components/LanguageSwitch'
import { ErrorState, Facts, PageHeader } from '@/components/page'
import {
  AddButton,
  Badge,
  Button,
  ButtonLink,
  Card,
  Input,
  Spinner,
  TriggeredDialog,
} from '@/components/ui'
import { useJudgeLimits, useModelEndings, usePausedJudges, useResumeJudge } from '@/hooks/judges'
import { useWho } from '@/hooks/workspace'
import { count, localTime, percent } from '@/lib/figures'
import { currentLanguage } from '@/lib/language'
import { personName } from '@/lib/names'
import { setSignedOut } from '@/lib/session'
import { toast } from '@/lib/toast'

import { useLogout } from './api/tokens'
import { useAddWebhook, useWebhooks } from './api/webhooks'
import { ListCard } from './components/ListCard'
import { NewSecret } from './components/NewSecret'
import { PolicyCard } from './components/PolicyCard'
import { SessionsCard } from './components/SessionsCard'
import { StartSuccession } from './components/StartSuccession'
import { Successions } from './components/Successions'
import { TokensCard } from './components/TokensCard'
import { CriteriaCard } from './criteria/CriteriaCard'
import { useFinds } from './useFinds'
import { WebhookForm } from './webhooks/WebhookForm'
import { WebhookItem } from './webhooks/WebhookItem'
import { emptyDraft } from './webhooks/webhookDraft'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  const { text, setText, prepare, finds } = useFinds()
  const { data: who } = useWho()
  const isAdmin = who?.scopes.includes('admin') ?? false
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Input
          type="search"
          label={t('search.label')}
          hideLabel
          placeholder={t('search.label')}
          className="sm:w-72"
          value={text}
          onFocus={prepare}
          onValue={setText}
        />
        {isAdmin && (
          <ButtonLink to="/audit" icon={ScrollText}>
            {t('audit.title')}
          </ButtonLink>
        )}
      </PageHeader>
      <div className="grid grid-cols-1 gap-6">
        <PolicyCard finds={finds} />
        {finds(['criteria']) && <CriteriaCard />}
        <div className="grid items-start gap-6 empty:hidden lg:grid-cols-2">
          {finds(['judges']) && <JudgesCard />}
          {finds(['who', 'scopes']) && <WorkspaceCard />}
        </div>
        {isAdmin && finds(['webhooks']) && <WebhooksCard />}
        {isAdmin && finds(['tokens']) && <TokensCard />}
        {isAdmin && finds(['sessions']) && <SessionsCard />}
      </div>
    </>
  )
}

/** Who is told of verdicts and alerts; only those who may change that see it. */
export function WebhooksCard() {
  return (
    <ListCard of="webhooks" list={useWebhooks()} actions={<AddWebhook />}>
      {(webhooks) => (
        <ul className="divide-border grid divide-y">
          {webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

/** Where the reader is, what they may do there, and in which language the pages speak. */
function WorkspaceCard() {
  const { t } = useTranslation('settings')
  const { data: who, error, refetch } = useWho()
  const logout = useLogout()
  return (
    <Card title={t('who.title')}>
      <Facts
        facts={[
          [t('who.workspace'), who?.workspace],
          [t('who.token'), who && personName(who.token)],
          [t('scopes.label'), who?.scopes.map((scope) => t(`scopes.${scope}`)).join(', ')],
          [t('who.language'), <LanguageSwitch key="language" />],
        ]}
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      <Button
        className="mt-4"
        disabled={logout.isPending}
        onClick={() =>
          logout.mutate(undefined, {
            onSuccess: (ended) => {
              if (ended?.next) window.location.assign(ended.next)
              else setSignedOut(true)
            },
          })
        }
      >
        {t('who.logout')}
      </Button>
    </Card>
  )
}

/** A dialog that adds a webhook and shows its secret once. */
function AddWebhook() {
  const { t } = useTranslation('settings')
  const add = useAddWebhook()
  const made = add.data
  return (
    <TriggeredDialog
      title={t('webhooks.add')}
      trigger={<AddButton>{t('webhooks.add')}</AddButton>}
      onOpenChange={add.reset}
    >
      {made ? (
        <NewSecret label={t('webhooks.secretOf', { name: made.name })} secret={made.secret} />
      ) : (
        <WebhookForm initial={emptyDraft(currentLanguage())} request={add} onSave={add.mutate} />
      )}
    </TriggeredDialog>
  )
}

/** Judges that wait for somebody to mend them, and why; and the limits of their servers. */
function JudgesCard() {
  const { t } = useTranslation('settings')
  const { data: paused, error, refetch } = usePausedJudges()
  const { data: who } = useWho()
  const resume = useResumeJudge()
  return (
    <Card title={t('judges.title')}>
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
                {t('judges.times', { paused: localTime(paused_at), probe: localTime(probe_at) })}
              </span>
            </div>
            {who?.scopes.includes('operator') && (
              <Button
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
      <ModelEndings />
      <Successions />
      <JudgeLimits />
    </Card>
  )
}

/** Models in use that end soon or have ended, and what names them; nothing where there is none. */
function ModelEndings() {
  const { t } = useTranslation('settings')
  const { data: endings } = useModelEndings()
  const { data: who } = useWho()
  if (!endings?.length) return null
  return (
    <section aria-labelledby="model-endings-title" className="mt-4">
      <h3 id="model-endings-title" className="text-sm font-medium">
        {t('judges.endings.title')}
      </h3>
      <ul className="divide-border divide-y">
        {endings.map(({ model, ends_on: date, days, uses }) => (
          <li key={model} className="grid gap-1 py-3 text-sm">
            <span className="font-medium">{model}</span>
            <span className="text-warning-foreground">
              {t(days > 0 ? 'judges.endings.ends' : 'judges.endings.ended', { date, count: days })}
            </span>
            <span className="text-muted-foreground break-words">
              {uses.map(({ kind, name }) => t(`judges.endings.uses.${kind}`, { name })).join(' · ')}
            </span>
            {who?.scopes.includes('admin') && <StartSuccession of={model} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

const LIMITS = [
  ['requests', 'requests_per_minute'],
  ['tokens', 'tokens_per_minute'],
  ['inFlight', 'max_in_flight'],
] as const

/** What the servers of judges allow all workers together; nothing where none has a limit. */
function JudgeLimits() {
  const { t, i18n } = useTranslation('settings')
  const { data: limits } = useJudgeLimits()
  if (!limits?.length) return null
  return (
    <section aria-labelledby="judge-limits-title" className="mt-4">
      <h3 id="judge-limits-title" className="text-sm font-medium">
        {t('judges.limits.title')}
      </h3>
      <ul className="divide-border divide-y">
        {limits.map((limit) => (
          <li key={limit.judge_model} className="grid gap-1 py-3 text-sm">
            <span className="font-medium">{limit.judge_model}</span>
            <span>
              {LIMITS.filter(([, field]) => limit[field])
                .map(([key, field]) => t(`judges.limits.${key}`, { count: count(limit[field]) }))
                .join(' · ')}
            </span>
            <span className="text-muted-foreground">
              {limit.allowance === null
                ? t('judges.limits.unknown')
                : t('judges.limits.allowance', { share: percent(limit.allowance) })}
              {limit.held_until &&
                ` · ${t('judges.limits.held', {
                  time: new Date(limit.held_until).toLocaleTimeString(i18n.language),
                })}`}
              {!!limit.waiting &&
                ` · ${t('judges.limits.waiting', { count: count(limit.waiting) })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
