import { useTranslation } from 'react-i18next'

import { RequestForm } from '@/components/page'
import { Checkboxes, Input, Select, Textarea } from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
import type { Schema } from '@/lib/api'
import { LANGUAGES } from '@/lib/languages'

import { bodyOf, type CriterionDraft, FEATURES, isWhole, KINDS } from './criterionDraft'

interface Props {
  initial: CriterionDraft
  /** A version of a name that there is. */
  named: boolean
  request: { error: unknown; isPending: boolean }
  onSave: (body: Schema<'CriterionCreate'>) => void
}

export function CriterionForm({ initial, named, request, onSave }: Props) {
  const { t } = useTranslation('settings')
  const { draft, change, field } = useDraft(initial)
  return (
    <RequestForm
      request={request}
      action={t('criteria.save')}
      disabled={!isWhole(draft)}
      onSubmit={() => onSave(bodyOf(draft))}
    >
      <Input
        label={t('criteria.name')}
        hint={t(named ? 'criteria.nameKept' : 'criteria.nameHint')}
        maxLength={40}
        verbatim
        readOnly={named}
        {...field('name')}
      />
      <Textarea
        label={t('criteria.question')}
        maxLength={500}
        value={draft.question}
        onValue={(text) => change({ question: text.replaceAll('\n', ' ') })}
      />
      <Select
        label={t('criteria.kind')}
        options={KINDS.map((value) => ({ value, text: t(`criteria.kinds.${value}`) }))}
        {...field('kind')}
      />
      <Rule kind={draft.kind} field={field} />
      <Input
        label={t('criteria.scale')}
        hint={t(draft.kind === 'model' ? 'criteria.scaleHint' : 'criteria.ruleScaleHint')}
        autoComplete="off"
        {...field('scale')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Checkboxes
          label={t('criteria.features')}
          hint={t('criteria.noneIsAll')}
          options={FEATURES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
          {...field('features')}
        />
        <Checkboxes
          label={t('criteria.languages')}
          hint={t('criteria.noneIsAll')}
          options={LANGUAGES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
          {...field('languages')}
        />
      </div>
    </RequestForm>
  )
}

interface RuleProps {
  kind: CriterionDraft['kind']
  field: ReturnType<typeof useDraft<CriterionDraft>>['field']
}

/** What the kind of the criterion needs beside its question. */
function Rule({ kind, field }: RuleProps) {
  const { t } = useTranslation('settings')
  switch (kind) {
    case 'regex':
      return (
        <Input
          label={t('criteria.pattern')}
          hint={t('criteria.patternHint')}
          maxLength={4000}
          verbatim
          {...field('pattern')}
        />
      )
    case 'json_schema':
      return (
        <Textarea
          label={t('criteria.schema')}
          hint={t('criteria.schemaHint')}
          spellCheck={false}
          rows={6}
          {...field('json_schema')}
        />
      )
    case 'length':
      return (
        <div className="grid grid-cols-2 gap-4">
          {(['min_chars', 'max_chars'] as const).map((name) => (
            <Input key={name} label={t(`criteria.${name}`)} inputMode="numeric" {...field(name)} />
          ))}
        </div>
      )
    case 'model':
      return null
  }
}
