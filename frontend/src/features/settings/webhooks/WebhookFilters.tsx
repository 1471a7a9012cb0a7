import { useTranslation } from 'react-i18next'

import { Checkboxes, Input } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

import { CONFIDENCES, FEATURES, type WebhookDraft } from './webhookDraft'

interface Props {
  draft: WebhookDraft
  onChange: (some: Partial<WebhookDraft>) => void
}

/** Which verdicts are sent, and how much of them. */
export function WebhookFilters({ draft, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { data: notebooks = [] } = useNotebooks()
  return (
    <details open={isFiltered(draft)}>
      <summary className="min-h-6 text-sm font-medium">{t('webhooks.filters')}</summary>
      <div className="mt-3 grid gap-4">
        <p className="text-muted-foreground text-sm">{t('webhooks.filtersHint')}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Checkboxes
            label={t('webhooks.confidences')}
            options={CONFIDENCES.map((value) => ({ value, text: t(`webhooks.levels.${value}`) }))}
            value={draft.confidences}
            onChange={(confidences) => onChange({ confidences })}
          />
          <Checkboxes
            label={t('webhooks.features')}
            options={FEATURES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
            value={draft.features}
            onChange={(features) => onChange({ features })}
          />
        </div>
        {notebooks.length > 0 && (
          <Checkboxes
            label={t('webhooks.notebooks')}
            options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
            value={draft.notebook_ids}
            onChange={(notebook_ids) => onChange({ notebook_ids })}
          />
        )}
        <Input
          label={t('webhooks.judges')}
          hint={t('webhooks.judgesHint')}
          autoComplete="off"
          spellCheck={false}
          value={draft.judges}
          onChange={({ target }) => onChange({ judges: target.value })}
        />
        <Checkboxes
          label={t('webhooks.content')}
          hint={t('webhooks.contentHint')}
          options={[{ value: 'content', text: t('webhooks.includeContent') }]}
          value={draft.include_content ? ['content'] : []}
          onChange={(chosen) => onChange({ include_content: chosen.length > 0 })}
        />
      </div>
    </details>
  )
}

function isFiltered(draft: WebhookDraft): boolean {
  const { confidences, features, notebook_ids, judges, include_content } = draft
  return (
    confidences.length + features.length + notebook_ids.length + judges.length > 0 ||
    include_content
  )
}
