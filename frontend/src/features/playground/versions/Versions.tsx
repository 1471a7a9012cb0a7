import { useTranslation } from 'react-i18next'

import { DataTable, EmptyState, ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, Spinner } from '@/components/ui'
import { useJudgePrompts, type PromptVersion } from '@/hooks/useJudgePrompts'
import { moment } from '@/lib/figures'

import { useShippedPrompts } from '../api/prompts'

import { ComparePrompts } from './ComparePrompts'
import { RetirePrompt } from './RetirePrompt'

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
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'reference',
            header: t('versions.reference'),
            cell: ({ reference }) => <span className="font-mono text-xs">{reference}</span>,
          },
          {
            key: 'state',
            header: t('versions.state'),
            cell: (each) => <State version={each} />,
            nowrap: true,
          },
          { key: 'note', header: t('versions.note'), cell: ({ note }) => note },
          {
            key: 'parent',
            header: t('versions.parent'),
            cell: ({ parent }) => <span className="font-mono text-xs">{parent}</span>,
          },
          { key: 'by', header: t('versions.by'), cell: ({ made_by }) => made_by },
          {
            key: 'when',
            header: t('versions.when'),
            cell: ({ created_at }) => moment(created_at),
            nowrap: true,
          },
          {
            key: 'retire',
            header: t('versions.action'),
            cell: (each) => <RetirePrompt version={each} />,
          },
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
