import { X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, IconButton } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { browserTimeZone, isDay } from '@/lib/days'
import { judgeName } from '@/lib/names'

import { useNoteTitle } from './api/detail'
import {
  CHOICES,
  DAYS,
  FILTERS,
  NOTES,
  optionKeys,
  queryOf,
  zoneOf,
  type Choice,
  type Filter,
} from './filters'

interface Props {
  params: URLSearchParams
  onChange: (changes: Record<string, string | undefined>) => void
}

type Shown = Exclude<Filter, (typeof DAYS)[number]>

const SHOWN = FILTERS.filter((name): name is Shown => !DAYS.some((day) => day === name))

function isNote(name: Shown): name is (typeof NOTES)[number] {
  return NOTES.some((note) => note === name)
}

/** Without replaced verdicts is how the list is anyway. */
const isUsual = (name: Shown, value: string | null) => name === 'current' && value === 'true'

/** Every filter of the list in words, to be taken away one by one or all at once. */
export function FilterChips({ params, onChange }: Props) {
  const { t } = useTranslation('evaluations')
  const list = useRef<HTMLDivElement>(null)
  const remove = (names: readonly string[]) => {
    onChange(Object.fromEntries(names.map((name) => [name, undefined])))
    // The button that was pressed is gone.
    list.current?.focus()
  }
  const query = queryOf(params)
  const given = SHOWN.filter((name) => name in query && !isUsual(name, params.get(name)))
  const days = useDays(params)
  const any = given.length > 0 || days !== null
  return (
    <div
      ref={list}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-2 outline-none empty:hidden"
    >
      {any && (
        <ul aria-label={t('chips.label')} className="contents">
          {days !== null && (
            <Chip name={t('filters.days')} value={days} onRemove={() => remove(DAYS)} />
          )}
          {given.map((name) => {
            const props = { name: t(`filters.${name}`), onRemove: () => remove([name]) }
            const value = params.get(name) ?? ''
            return isNote(name) ? (
              <NoteChip key={name} {...props} note={value} />
            ) : (
              <ValueChip key={name} {...props} filter={name} value={value} />
            )
          })}
        </ul>
      )}
      {any && (
        <Button variant="ghost" size="sm" onClick={() => remove(FILTERS)}>
          {t('filters.clear')}
        </Button>
      )}
    </div>
  )
}

interface ChipProps {
  name: string
  onRemove: () => void
}

function Chip({ name, value, onRemove }: ChipProps & { value: string }) {
  const { t } = useTranslation('evaluations')
  const filter = `${name}: ${value}`
  return (
    <li className="border-input bg-card inline-flex max-w-full items-center rounded-full border pl-3 text-sm">
      <span className="min-w-0 truncate" title={filter}>
        <span className="text-muted-foreground">{name}:</span> {value}
      </span>
      <IconButton
        className="size-7 shrink-0 rounded-full"
        label={t('chips.remove', { filter })}
        onClick={onRemove}
        icon={X}
      />
    </li>
  )
}

function NoteChip({ note, ...rest }: ChipProps & { note: string }) {
  const { t } = useTranslation('evaluations')
  const title = useNoteTitle(note)
  return <Chip {...rest} value={title === undefined ? '…' : (title ?? t('chips.goneNote'))} />
}

interface ValueProps extends ChipProps {
  filter: Exclude<Shown, (typeof NOTES)[number]>
  value: string
}

function ValueChip({ filter, value, ...rest }: ValueProps) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const { data: notebooks = [] } = useNotebooks()
  const describe = () => {
    if (filter in CHOICES) return t(optionKeys(filter as Choice, value), { defaultValue: value })
    if (filter === 'notebook_id') return notebooks.find(({ id }) => id === value)?.name ?? value
    if (filter === 'judge_model' || filter === 'made_by') return judgeName(value)
    if (filter === 'issue_kind')
      return t(`ai:issueKinds.${value as 'grounding'}`, { defaultValue: value })
    if (filter === 'reason')
      return t(`options.reason.${value as 'no_context'}`, { defaultValue: value })
    return value
  }
  return <Chip {...rest} value={describe()} />
}

/** The days of an address in words; null without any. */
function useDays(params: URLSearchParams): string | null {
  const { t, i18n } = useTranslation('evaluations')
  const [since, until, zone] = [params.get('since'), params.get('until'), zoneOf(params)]
  // A day is no moment: it is the same wherever it is read.
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' })
  const day = (written: string) => format.format(new Date(written))
  const describe = () => {
    if (isDay(since) && isDay(until)) return format.formatRange(new Date(since), new Date(until))
    if (isDay(since)) return t('chips.from', { day: day(since) })
    if (isDay(until)) return t('chips.to', { day: day(until) })
    return null
  }
  const days = describe()
  return days === null || zone === browserTimeZone() ? days : `${days} (${zone})`
}
