import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { Input } from '@/components/ui'

import { ResultList } from './ResultList'
import type { Item } from './items'
import { useItems, type MenuPage } from './useItems'

// The API's, of a title that is searched for.
const MAX_CHARS = 200

interface Props {
  pages: readonly MenuPage[]
  onChoose: (item: Item) => void
}

/** An editable combobox whose list is always open, as the ARIA Authoring Practices have it: the focus
 * stays in the field, and the arrow keys move `aria-activedescendant`. */
export function Finder({ pages, onChoose }: Props) {
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
