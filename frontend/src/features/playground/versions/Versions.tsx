import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { TextDiff } from '@/components/TextDiff'
import { ConfirmDialog, DataTable, EmptyState, ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, Select, Spinner } from '@/components/ui'
import { type PromptVersion, useJudgePrompts } from '@/hooks/useJudgePrompts'
import { moment } from '@/lib/figures'
import { currentLanguage } from '@/lib/language'
import { LANGUAGES } from '@/lib/languages'
import { personName } from '@/lib/names'

import { type ShippedPrompt, useRetirePrompt, useShippedPrompts } from '../api/prompts'
import { langOf } from '../choices'

/** The workspace's versions: what they are, how they differ, and which of them may be chosen. */
export function Versions() {
  const { t } = useTranslation('playground')
  const own = useJudgePrompts()
  const shipped = useShippedPrompts()
  const error = own.error ?? shipped.error
  if (error) return <ErrorState error={error} />
  if (!own.data || !shipped.data) return <Spinner />
  return (
    <div className="grid min-w-0 gap-4">
      {own.data.length === 0 ? (
        <EmptyState title={t('versions.none')} text={t('versions.noneText')} />
      ) : (
        <Card className="min-w-0">
          <CardTitle>{t('versions.title')}</CardTitle>
          <p className="text-muted-foreground mb-3 text-sm">{t('versions.text')}</p>
          <VersionTable versions={own.data} />
        </Card>
      )}
      <ComparePrompts own={own.data} shipped={shipped.data} />
    </div>
  )
}

function VersionTable({ versions }: { versions: readonly PromptVersion[] }) {
  const { t } = useTranslation('playground')
  return (
    <div className="min-w-0 [&_table]:min-w-3xl">
      <DataTable
        caption={t('versions.title')}
        rows={versions}
        columns={[
          [
            t('versions.reference'),
            ({ reference, examples }) => (
              <>
                <span className="font-mono text-xs">{reference}</span>
                {examples.length > 0 && (
                  <div className="text-muted-foreground text-xs">
                    {t('versions.examples', { count: examples.length })}
                  </div>
                )}
              </>
            ),
          ],
          [t('versions.state'), (each) => <State version={each} />, 'nowrap'],
          [t('versions.note'), ({ note }) => note],
          [
            t('versions.parent'),
            ({ parent }) => <span className="font-mono text-xs">{parent}</span>,
          ],
          [t('versions.by'), ({ made_by }) => personName(made_by)],
          [t('versions.when'), ({ created_at }) => moment(created_at), 'nowrap'],
          [t('versions.action'), (each) => <RetirePrompt version={each} />],
        ]}
      />
    </div>
  )
}

function State({ version }: { version: PromptVersion }) {
  const { t } = useTranslation('playground')
  if (version.in_policy) return <Badge variant="info">{t('versions.inPolicy')}</Badge>
  if (version.retired_at !== null) return <Badge>{t('versions.retired')}</Badge>
  return <Badge variant="outline">{t('versions.usable')}</Badge>
}

function RetirePrompt({ version }: { version: PromptVersion }) {
  const { t } = useTranslation('playground')
  const retire = useRetirePrompt()
  const { reference } = version
  if (version.retired_at !== null) return null
  return (
    <ConfirmDialog
      trigger={t('retire.label', { reference })}
      title={t('retire.label', { reference })}
      description={t('retire.text')}
      action={t('retire.open')}
      request={retire}
      input={version.id}
      done={t('retire.done', { reference })}
    />
  )
}

interface Props {
  own: readonly PromptVersion[]
  shipped: readonly ShippedPrompt[]
}

/** Two versions side by side, with what only one of them says marked. */
function ComparePrompts({ own, shipped }: Props) {
  const { t } = useTranslation('playground')
  const all = [
    ...own.map(({ reference, texts, parent }) => ({ version: reference, texts, parent })),
    ...shipped.map(({ version, texts }) => ({ version, texts, parent: '' })),
  ]
  const [newest] = all
  const [after, setAfter] = useState(newest?.version ?? '')
  const [before, setBefore] = useState<string | null>(null)
  const [lang, setLang] = useState(langOf(currentLanguage()))
  const second = all.find(({ version }) => version === after) ?? newest
  if (!second) return null
  const other = all.find(({ version }) => version !== second.version)?.version
  const wanted = before ?? (second.parent || other)
  const first = all.find(({ version }) => version === wanted) ?? second
  const options = all.map(({ version }) => ({ value: version, text: version }))
  return (
    <Card className="grid min-w-0 gap-3">
      <CardTitle className="mb-0">{t('compare.title')}</CardTitle>
      <div className="grid gap-3 sm:grid-cols-3">
        <Select
          label={t('compare.before')}
          value={first.version}
          options={options}
          onValue={setBefore}
        />
        <Select
          label={t('compare.after')}
          value={second.version}
          options={options}
          onValue={setAfter}
        />
        <Select
          label={t('compare.lang')}
          value={lang}
          options={LANGUAGES.map((value) => ({ value, text: t(`compare.${value}`) }))}
          onValue={setLang}
        />
      </div>
      <div className="grid gap-2 text-sm">
        <h3 className="font-semibold">{t(`form.instructions.${lang}`)}</h3>
        <TextDiff
          before={first.texts[lang] ?? ''}
          after={second.texts[lang] ?? ''}
          beforeTitle={first.version}
          afterTitle={second.version}
        />
      </div>
    </Card>
  )
}
