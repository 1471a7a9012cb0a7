import { useTranslation } from 'react-i18next'

import { TextFilter } from '@/components/page'
import { Input, Select } from '@/components/ui'
import { useCriteria } from '@/hooks/criteria'
import { useNotebooks } from '@/hooks/workspace'

import { FilterChips } from './FilterChips'
import {
  ATTRIBUTES,
  CHOICES,
  OF_CRITERION,
  optionKeys,
  ORDERS,
  SCORES,
  type Choice,
} from './filters'

interface Props {
  params: URLSearchParams
  onChange: (changes: Record<string, string | undefined>) => void
}

const MORE: readonly Choice[] = [
  ...(['outcome', 'fault', 'judged_by', 'degraded', 'feature', 'lang'] as const),
  ...(['has_issues', 'labelled', 'current', 'from_cache'] as const),
]

const SHORT_TEXTS = [
  ...(['judge_model', 'answer_model', 'prompt_version'] as const),
  ...ATTRIBUTES,
  ...(['min_correctness', 'max_correctness', 'min_utility', 'max_utility'] as const),
]

export function FilterBar({ params, onChange }: Props) {
  const { t } = useTranslation('evaluations')
  return (
    <search aria-label={t('filters.label')} className="mb-4 grid gap-3">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <BarText key={`q ${params.get('question')}`} name="question" {...{ params, onChange }} />
        <ChoiceFilter name="status" {...{ params, onChange }} />
        <ChoiceFilter name="confidence" {...{ params, onChange }} />
        <Select
          label={t('filters.order')}
          value={ORDERS.find((order) => order === params.get('order')) ?? 'newest'}
          onValue={(order) => onChange({ order: order === 'newest' ? undefined : order })}
          options={ORDERS.map((order) => ({ value: order, text: t(`filters.${order}`) }))}
        />
      </div>
      <details>
        <summary className="min-h-6 text-sm font-medium">{t('filters.more')}</summary>
        <div className="mt-3 grid grid-cols-2 gap-3 lg:grid-cols-4">
          {(['since', 'until'] as const).map((name) => (
            <Input
              key={name}
              type="date"
              label={t(`filters.${name}`)}
              value={params.get(name) ?? ''}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          ))}
          <NotebookFilter {...{ params, onChange }} />
          {MORE.map((name) => (
            <ChoiceFilter key={name} name={name} {...{ params, onChange }} />
          ))}
          <IssueFilter {...{ params, onChange }} />
          <CriterionFilter {...{ params, onChange }} />
          {SHORT_TEXTS.map((name) => (
            <BarText key={`${name} ${params.get(name)}`} name={name} {...{ params, onChange }} />
          ))}
        </div>
      </details>
      <FilterChips params={params} onChange={onChange} />
    </search>
  )
}

function ChoiceFilter({ name, params, onChange }: Props & { name: Choice }) {
  const { t } = useTranslation(['evaluations', 'ai'])
  return (
    <Select
      label={t(`filters.${name}`)}
      value={params.get(name) ?? ''}
      onValue={(value) => onChange({ [name]: value })}
      options={CHOICES[name].map((value) => ({ value, text: t(optionKeys(name, value)) }))}
      none={t('filters.all')}
    />
  )
}

function NotebookFilter({ params, onChange }: Props) {
  const { t } = useTranslation('evaluations')
  const { data: notebooks = [] } = useNotebooks()
  return (
    <Select
      label={t('filters.notebook_id')}
      value={params.get('notebook_id') ?? ''}
      onValue={(notebook_id) => onChange({ notebook_id })}
      options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
      none={t('filters.all')}
    />
  )
}

function IssueFilter({ params, onChange }: Props) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const kinds = t('ai:issueKinds', { returnObjects: true })
  return (
    <Select
      label={t('filters.issue_kind')}
      value={params.get('issue_kind') ?? ''}
      onValue={(issue_kind) => onChange({ issue_kind })}
      options={Object.entries(kinds).map(([kind, name]) => ({ value: kind, text: name }))}
      none={t('filters.all')}
    />
  )
}

/** The workspace's own criteria; nothing where there is none. */
function CriterionFilter({ params, onChange }: Props) {
  const { t } = useTranslation('evaluations')
  const { data: criteria } = useCriteria()
  const chosen = params.get('criterion') ?? ''
  const names = new Set(criteria?.items.map(({ name }) => name))
  // One that is archived may have scores all the same.
  if (chosen) names.add(chosen)
  if (names.size === 0) return null
  const none = Object.fromEntries(OF_CRITERION.map((name) => [name, undefined]))
  return (
    <>
      <Select
        label={t('filters.criterion')}
        value={chosen}
        onValue={(criterion) => onChange({ ...none, criterion })}
        options={[...names].map((name) => ({ value: name, text: name }))}
        none={t('filters.all')}
      />
      {chosen &&
        OF_CRITERION.map((name) => (
          <BarText key={`${name} ${params.get(name)}`} name={name} {...{ params, onChange }} />
        ))}
    </>
  )
}

type TextName = 'question' | (typeof SHORT_TEXTS)[number] | (typeof OF_CRITERION)[number]

function BarText({ name, params, onChange }: Props & { name: TextName }) {
  const { t } = useTranslation('evaluations')
  const isScore = SCORES.some((score) => score === name)
  return (
    <TextFilter
      label={t(`filters.${name}`)}
      {...(isScore && { type: 'number', min: 0, max: 1, step: 0.05 })}
      value={params.get(name) ?? ''}
      onValue={(text) => onChange({ [name]: text })}
    />
  )
}
