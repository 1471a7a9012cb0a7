import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { Input } from '@/components/ui'
import { cn } from '@/lib/cn'
import { showCommandDialog } from '@/lib/commandDialog'

import { CommandDialog } from './CommandDialog'
import { GROUPS, type Item } from './items'
import { addVisit } from './recent'
import { type MenuPage, useItems } from './useItems'

/** Finds pages, commands, notes and questions by what is typed. */
export function CommandPalette({ pages }: { pages: readonly MenuPage[] }) {
  const { t } = useTranslation('commands')
  const navigate = useNavigate()
  const left = useRef(false)

  function choose({ action, text, group }: Item) {
    showCommandDialog(null)
    if (typeof action === 'function') {
      action()
      return
    }
    left.current = true
    if (group !== 'evaluation') addVisit({ to: action.to, text })
    void navigate(action.to)
  }

  return (
    // A page that is gone to takes the focus itself.
    <CommandDialog title={t('title')} returnsFocus={() => !left.current}>
      <Finder pages={pages} onChoose={choose} />
    </CommandDialog>
  )
}

// The API's, of a title that is searched for.
const MAX_CHARS = 200

interface Props {
  pages: readonly MenuPage[]
  onChoose: (item: Item) => void
}

/** An editable combobox whose list is always open, as the ARIA Authoring Practices have it: the focus
 * stays in the field, and the arrow keys move `aria-activedescendant`. */
function Finder({ pages, onChoose }: Props) {
  const { t } = useTranslation('commands')
  const list = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState<string | null>(null)
  const { items, pending, failed } = useItems(text, pages)
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === active),
  )
  const current = items[at]
  const optionOf = (item: Item) => `${list}-${item.id}`

  useEffect(() => {
    if (current)
      document.getElementById(`${list}-${current.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [current, list])

  function press(event: KeyboardEvent) {
    if (isOfInputMethod(event.nativeEvent) || !current) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive(items.at((at + step) % items.length)?.id ?? null)
    else if (event.key === 'Enter') onChoose(current)
    else return
    event.preventDefault()
  }

  return (
    <div className="grid gap-2">
      <Input
        label={t('input')}
        hideLabel
        placeholder={t('placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={current && optionOf(current)}
        maxLength={MAX_CHARS}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(null)
        }}
        onKeyDown={press}
      />
      <p role="status" className="text-muted-foreground min-h-5 text-sm">
        {failed
          ? t('failed')
          : pending
            ? t('searching')
            : items.length === 0
              ? t('none')
              : t('count', { count: items.length })}
      </p>
      <ResultList
        id={list}
        items={items}
        current={current}
        optionOf={optionOf}
        onMove={setActive}
        onChoose={onChoose}
      />
    </div>
  )
}

/** Enter and the arrows belong to the input method while a syllable is being composed. Safari has
 * ended the composition by the time of the Enter that ended it, and says so by its code alone. */
function isOfInputMethod(event: globalThis.KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else shows it in Safari
  return event.isComposing || event.keyCode === 229
}

interface ResultListProps {
  id: string
  items: readonly Item[]
  current: Item | undefined
  /** The id of an item's element. */
  optionOf: (item: Item) => string
  onMove: (id: string) => void
  onChoose: (item: Item) => void
}

/** What was found, in groups. Of one height, so that the dialog stays where it is. */
function ResultList({ id, items, current, optionOf, onMove, onChoose }: ResultListProps) {
  const { t } = useTranslation('commands')
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('list')}
      className="h-80 max-h-[45dvh] overflow-y-auto"
    >
      {GROUPS.map((group) => {
        const shown = items.filter((item) => item.group === group)
        if (shown.length === 0) return null
        return (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`} className="mb-2">
            <p
              id={`${id}-${group}`}
              role="presentation"
              className="text-muted-foreground px-2 py-1 text-xs font-semibold"
            >
              {t(`groups.${group}`)}
            </p>
            {shown.map((item) => (
              // The keys are the field's, which has the focus.
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={item.id}
                id={optionOf(item)}
                role="option"
                aria-selected={item === current}
                tabIndex={-1}
                className={cn(
                  'flex min-h-10 cursor-pointer items-center rounded-md border-l-4 px-2 py-1 text-sm',
                  item === current
                    ? 'bg-accent text-accent-foreground border-primary'
                    : 'border-transparent',
                )}
                onPointerMove={() => onMove(item.id)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onChoose(item)}
              >
                <span className="line-clamp-2">{item.text}</span>
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}
