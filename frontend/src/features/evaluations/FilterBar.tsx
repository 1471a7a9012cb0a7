import { Columns3, Download, ListFilter, RefreshCw } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { TextFilter } from '@/components/page'
import { Button, ButtonLink, Checkbox, Checkboxes, Input, Select } from '@/components/ui'
import { useCriteria } from '@/hooks/criteria'
import { useNotebooks } from '@/hooks/workspace'
import { count } from '@/lib/figures'

import { FilterChips } from './FilterChips'
import { useTotal } from './api/list'
import { MAX_ADDED } from './api/live'
import {
  ATTRIBUTES,
  CHOICES,
  exportAddress,
  type ListQuery,
  OF_CRITERION,
  optionKeys,
  ORDERS,
  REPLACED_TOO,
  SCORES,
  type Choice,
} from './filters'
import { COLUMNS, type useColumns, useColumnTitles, USUAL } from './table/columns'

type Change = (changes: Record<string, string | undefined>) => void

interface Props {
  params: URLSearchParams
  onChange: Change
}

const MORE: readonly Choice[] = [
  ...(['status', 'confidence', 'outcome', 'fault', 'judged_by', 'degraded'] as const),
  ...(['feature', 'lang', 'has_issues', 'labelled', 'from_cache'] as const),
]
/** What is looked for most, one click each. */
const QUICK = { outcome: 'pending', status: 'failed' } as const

const SHORT_TEXTS = [
  ...(['judge_model', 'answer_model', 'prompt_version'] as const),
  ...ATTRIBUTES,
  ...(['min_correctness', 'max_correctness', 'min_utility', 'max_utility'] as const),
]

interface BarProps extends Props {
  query: ListQuery
  shown: ReturnType<typeof useColumns>
  /** Verdicts that have arrived since. */
  news: { count: number; show: () => unknown }
}

/** The filters in a line: those used most, and the rest behind a button. */
export function FilterBar({ params, onChange, query, shown, news }: BarProps) {
  const { t } = useTranslation('evaluations')
  const [open, setOpen] = useState<'filters' | 'columns' | null>(null)
  const all = params.get('current') === REPLACED_TOO
  const toggle = (part: 'filters' | 'columns') => ({
    'aria-expanded': open === part,
    className: 'min-h-9',
    onClick: () => setOpen(open === part ? null : part),
  })
  return (
    <search aria-label={t('filters.label')} className="grid grid-cols-1 gap-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <div className="min-w-40 flex-1 @max-xl:basis-full">
          <BarText
            key={`q ${params.get('question')}`}
            name="question"
            look={{ hideLabel: true, placeholder: t('filters.question'), className: 'min-h-9' }}
            {...{ params, onChange }}
          />
        </div>
        <div className="-m-1 flex max-w-full items-center gap-2 overflow-x-auto p-1">
          <Quick {...{ params, onChange }} />
          <Button {...toggle('filters')} icon={ListFilter}>
            {t('filters.more')}
          </Button>
          <div className="w-36 shrink-0">
            <Select
              label={t('filters.order')}
              hideLabel
              className="min-h-9 px-2"
              value={ORDERS.find((order) => order === params.get('order')) ?? 'newest'}
              onValue={(order) => onChange({ order: order === 'newest' ? undefined : order })}
              options={ORDERS.map((order) => ({ value: order, text: t(`filters.${order}`) }))}
            />
          </div>
          <Button {...toggle('columns')} aria-label={t('columns.choose')} icon={Columns3} />
        </div>
        <div className="ml-auto flex items-center gap-x-3">
          <Checkbox
            className="items-center whitespace-nowrap"
            checked={all}
            onChange={(checked) => onChange({ current: checked ? REPLACED_TOO : undefined })}
          >
            {t('filters.replaced')}
          </Checkbox>
          <Total query={query} news={news} />
        </div>
      </div>
      {open === 'filters' && <MoreFilters {...{ params, onChange }} />}
      {open === 'columns' && <Columns query={query} shown={shown} />}
      <FilterChips params={params} onChange={onChange} />
    </search>
  )
}

function Quick({ params, onChange }: Props) {
  const { t } = useTranslation(['evaluations', 'ai'])
  return (Object.keys(QUICK) as (keyof typeof QUICK)[]).map((name) => {
    const value = QUICK[name]
    const pressed = params.get(name) === value
    return (
      <Button
        key={name}
        aria-pressed={pressed}
        className="aria-pressed:bg-accent aria-pressed:border-primary min-h-9 px-3"
        onClick={() =>
          onChange({ status: undefined, outcome: undefined, [name]: pressed ? undefined : value })
        }
      >
        {t(optionKeys(name, value))}
      </Button>
    )
  })
}

/** How many verdicts match, or in its place the way to those that are new. */
function Total({ query, news }: Pick<BarProps, 'query' | 'news'>) {
  const { t } = useTranslation('evaluations')
  const total = useTotal(query)
  return (
    <div role="status" className="min-w-16 text-right text-sm whitespace-nowrap tabular-nums">
      {news.count > 0 ? (
        <Button variant="primary" size="sm" onClick={() => void news.show()} icon={RefreshCw}>
          {t(news.count < MAX_ADDED ? 'new' : 'newMany', { count: news.count })}
        </Button>
      ) : (
        total &&
        (total.more
          ? t('totalMore', { number: count(total.matching) })
          : t('total', { count: total.matching, number: count(total.matching) }))
      )}
    </div>
  )
}

function MoreFilters({ params, onChange }: Props) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const { data: notebooks = [] } = useNotebooks()
  const kinds = Object.entries(t('ai:issueKinds', { returnObjects: true }))
  const bar = { params, onChange }
  return (
    <div className="my-2 grid grid-cols-2 gap-3 @4xl:grid-cols-4">
      {(['since', 'until'] as const).map((name) => (
        <Input
          key={name}
          type="date"
          label={t(`filters.${name}`)}
          value={params.get(name) ?? ''}
          onValue={(text) => onChange({ [name]: text })}
        />
      ))}
      <FilterSelect
        name="notebook_id"
        options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
        {...bar}
      />
      {MORE.map((name) => (
        <FilterSelect
          key={name}
          name={name}
          options={CHOICES[name].map((value) => ({ value, text: t(optionKeys(name, value)) }))}
          {...bar}
        />
      ))}
      <FilterSelect
        name="issue_kind"
        options={kinds.map(([value, text]) => ({ value, text }))}
        {...bar}
      />
      <CriterionFilter {...bar} />
      {SHORT_TEXTS.map((name) => (
        <BarText key={`${name} ${params.get(name)}`} name={name} {...bar} />
      ))}
    </div>
  )
}

/** Which columns the list has besides the question, and all that match as a file. */
function Columns({ query, shown }: Pick<BarProps, 'query' | 'shown'>) {
  const { t } = useTranslation('evaluations')
  const titles = useColumnTitles()
  return (
    <div className="my-2 grid gap-3">
      <Checkboxes
        className="grid-cols-2 @4xl:grid-cols-4"
        label={t('columns.shown')}
        hint={t('columns.hint')}
        options={COLUMNS.map((value) => ({ value, text: titles[value] }))}
        value={shown.columns}
        onValue={shown.choose}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => shown.choose(USUAL)}>
          {t('columns.usual')}
        </Button>
        {(['csv', 'jsonl'] as const).map((format) => (
          <ButtonLink
            key={format}
            href={exportAddress(query, format)}
            download
            size="sm"
            icon={Download}
          >
            {t('export', { format: format.toUpperCase() })}
          </ButtonLink>
        ))}
      </div>
    </div>
  )
}

interface SelectProps extends Props {
  name: Choice | 'notebook_id' | 'issue_kind'
  options: readonly { value: string; text: string }[]
}

function FilterSelect({ name, options, params, onChange }: SelectProps) {
  const { t } = useTranslation('evaluations')
  return (
    <Select
      label={t(`filters.${name}`)}
      value={params.get(name) ?? ''}
      onValue={(value) => onChange({ [name]: value })}
      options={options}
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

type TextProps = Props & { name: TextName; look?: Partial<ComponentProps<typeof Input>> }

function BarText({ name, params, onChange, look }: TextProps) {
  const { t } = useTranslation('evaluations')
  const isScore = SCORES.some((score) => score === name)
  return (
    <TextFilter
      label={t(`filters.${name}`)}
      {...look}
      {...(isScore && { type: 'number', min: 0, max: 1, step: 0.05 })}
      value={params.get(name) ?? ''}
      onValue={(text) => onChange({ [name]: text })}
    />
  )
}
