import { SendHorizontal, Square, Trash2 } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Textarea } from '@/components/ui'

// As the API limits it.
const MAX_QUESTION = 4000

interface Props {
  onAsk: (question: string) => void
  /** Given while an answer is being written. */
  onStop: (() => void) | null
  /** Given where there is something to clear. */
  onClear: (() => void) | null
  /** Whether the server keeps the conversation, not this tab alone. */
  kept: boolean
}

/** Where the question is written. */
export function Composer({ onAsk, onStop, onClear, kept }: Props) {
  const { t } = useTranslation('ai')
  const hint = useId()
  const [question, setQuestion] = useState('')
  const empty = question.trim() === ''
  const send = () => {
    if (empty || onStop) return
    onAsk(question.trim())
    setQuestion('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While a Korean syllable is being composed, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="bg-card border-border grid gap-2 rounded-lg border p-3 shadow-md"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        label={t('chat.question')}
        hideLabel
        placeholder={t('chat.placeholder')}
        aria-describedby={hint}
        maxLength={MAX_QUESTION}
        rows={2}
        className="min-h-14"
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p id={hint} className="text-muted-foreground mr-auto text-xs">
          {t('chat.hint')} {!kept && t('chat.thisTabOnly')}
        </p>
        {onClear && (
          <Button variant="ghost" size="sm" onClick={onClear}>
            <Trash2 aria-hidden />
            {t('chat.clear')}
          </Button>
        )}
        {onStop ? (
          <Button variant="outline" onClick={onStop}>
            <Square aria-hidden />
            {t('chat.stop')}
          </Button>
        ) : (
          <Button type="submit" disabled={empty}>
            <SendHorizontal aria-hidden />
            {t('chat.send')}
          </Button>
        )}
      </div>
    </form>
  )
}
