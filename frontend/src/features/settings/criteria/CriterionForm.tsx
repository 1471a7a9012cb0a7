import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Checkboxes, Form, Input, Select, Textarea } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { LANGUAGES } from '@/lib/languages'

import { bodyOf, type CriterionDraft, FEATURES, isWhole, KINDS } from './criterionDraft'

interface Props {
  initial: CriterionDraft
  /** A version of a name that there is. */
  named?: boolean
  error: unknown
  isPending: boolean
  onSave: (body: Schema<'CriterionCreate'>) => void
}

export function CriterionForm({ initial, named = false, error, isPending, onSave }: Props) {
  const { t } = useTranslation('settings')
  const [draft, setDraft] = useState(initial)
  const change = (some: Partial<CriterionDraft>) => setDraft({ ...draft, ...some })
  return (
    <Form className="grid gap-4" onSubmit={() => onSave(bodyOf(draft))}>
      <Input
        label={t('criteria.name')}
        hint={t(named ? 'criteria.nameKept' : 'criteria.nameHint')}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        readOnly={named}
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Textarea
        label={t('criteria.question')}
        maxLength={500}
        value={draft.question}
        onChange={({ target }) => change({ question: target.value.replaceAll('\n', ' ') })}
      />
      <Select
        label={t('criteria.kind')}
        value={draft.kind}
        options={KINDS.map((value) => ({ value, text: t(`criteria.kinds.${value}`) }))}
        onValue={(kind) => change({ kind })}
      />
      <Rule draft={draft} onChange={change} />
      <Input
        label={t('criteria.scale')}
        hint={t(draft.kind === 'model' ? 'criteria.scaleHint' : 'criteria.ruleScaleHint')}
        autoComplete="off"
        value={draft.scale}
        onChange={({ target }) => change({ scale: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Checkboxes
          label={t('criteria.features')}
          hint={t('criteria.noneIsAll')}
          options={FEATURES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
          value={draft.features}
          onChange={(features) => change({ features })}
        />
        <Checkboxes
          label={t('criteria.languages')}
          hint={t('criteria.noneIsAll')}
          options={LANGUAGES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
          value={draft.languages}
          onChange={(languages) => change({ languages })}
        />
      </div>
      {error !== null && <ErrorState error={error} />}
      <Button type="submit" className="justify-self-end" disabled={!isWhole(draft) || isPending}>
        {t('criteria.save')}
      </Button>
    </Form>
  )
}

interface RuleProps {
  draft: CriterionDraft
  onChange: (some: Partial<CriterionDraft>) => void
}

/** What the kind of the criterion needs beside its question. */
function Rule({ draft, onChange }: RuleProps) {
  const { t } = useTranslation('settings')
  switch (draft.kind) {
    case 'regex':
      return (
        <Input
          label={t('criteria.pattern')}
          hint={t('criteria.patternHint')}
          maxLength={4000}
          autoComplete="off"
          spellCheck={false}
          value={draft.pattern}
          onChange={({ target }) => onChange({ pattern: target.value })}
        />
      )
    case 'json_schema':
      return (
        <Textarea
          label={t('criteria.schema')}
          hint={t('criteria.schemaHint')}
          spellCheck={false}
          rows={6}
          value={draft.json_schema}
          onChange={({ target }) => onChange({ json_schema: target.value })}
        />
      )
    case 'length':
      return (
        <div className="grid grid-cols-2 gap-4">
          {(['min_chars', 'max_chars'] as const).map((name) => (
            <Input
              key={name}
              label={t(`criteria.${name}`)}
              inputMode="numeric"
              value={draft[name]}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          ))}
        </div>
      )
    case 'model':
      return null
  }
}
