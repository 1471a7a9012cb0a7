import { SendHorizontal, Square, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState } from '@/components/page'
import { Button, Form, Textarea } from '@/components/ui'
import { isStored, withStored } from '@/hooks/answerMessage'
import { useModelJudgeHint } from '@/hooks/rulesVerdicts'
import { type AIMessage, type ChatRequest, useAIStream } from '@/hooks/useAIStream'
import { useFollowNewest } from '@/hooks/useFollowNewest'
import { cn } from '@/lib/cn'

import { Message } from './answer/Message'

interface Props {
  /** Conversations of different names are kept apart. */
  conversation: string
  /** Goes with each question. */
  options?: NonNullable<ChatRequest['options']>
  /** Beside the composer: what goes with the questions, and how it is changed. */
  context?: ReactNode
  /** Questions to begin with. */
  examples?: readonly string[]
  /** Of a conversation that the server keeps under the name `conversation`: what it has, oldest
   * first. */
  stored?: readonly AIMessage[]
  /** Called when something is asked. */
  onAsked?: () => void
}

const NOTHING: readonly AIMessage[] = []

/** Asks notes: streaming answers, and under each the life of its verdict. */
export function AIChat(props: Props) {
  const { conversation, options = {}, context, examples = [], stored, onAsked } = props
  const { t } = useTranslation('ai')
  const { messages: own, isStreaming, ask, retry, stop, clear } = useAIStream(conversation)
  const messages = useMemo(() => withStored(stored ?? NOTHING, own), [stored, own])
  const kept = stored !== undefined
  const writing = messages.find(({ state }) => state === 'streaming')
  const newest = messages.at(-1)
  const { conversation: shown, composer } = useFollowNewest(
    newest?.state === 'streaming' ? newest.id : undefined,
    kept ? newest?.id : undefined,
  )
  const onAsk = (content: string) => {
    const asked = kept ? { ...options, conversation_id: conversation } : options
    ask({ content, options: asked, feature: 'search_qa' })
    onAsked?.()
  }
  return (
    <section
      ref={shown}
      aria-label={t('chat.conversation')}
      className="gap-section flex flex-1 flex-col"
    >
      {messages.length === 0 && (
        <EmptyState title={t('chat.empty')} text={t('chat.emptyText')}>
          {examples.length > 0 && <p className="text-sm font-medium">{t('chat.examples')}</p>}
          {examples.map((question) => (
            <Button
              key={question}
              size="sm"
              className="h-auto py-1 text-left whitespace-normal"
              onClick={() => onAsk(question)}
            >
              {question}
            </Button>
          ))}
        </EmptyState>
      )}
      {messages.map((message) => (
        <Message
          key={message.id}
          message={message}
          onAsk={onAsk}
          onRetry={retry}
          busy={isStreaming}
        />
      ))}
      <ModelJudgeHint />
      {/* Beside a note it would hide that nothing has been asked yet. */}
      <div
        ref={composer}
        className={cn(
          'bg-background mt-auto py-3',
          (kept || messages.length > 0) && 'sticky bottom-0 z-10',
        )}
      >
        <Composer
          context={context}
          onAsk={onAsk}
          onStop={writing ? () => stop(writing.id) : null}
          onClear={own.length > 0 && !own.some(isStored) && !stored?.length ? clear : null}
          kept={kept}
        />
      </div>
    </section>
  )
}

// As the API limits it.
const MAX_QUESTION = 4000

// Lines that it grows to where the browser does not let it grow with its text.
const MAX_ROWS = 6

interface ComposerProps {
  context: ReactNode
  onAsk: (question: string) => void
  /** Given while an answer is being written. */
  onStop: (() => void) | null
  /** Given where there is something to clear. */
  onClear: (() => void) | null
  /** Whether the server keeps the conversation, not this tab alone. */
  kept: boolean
}

/** Where the question is written: one line, which grows with it. */
function Composer({ context, onAsk, onStop, onClear, kept }: ComposerProps) {
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
    <Form
      className="bg-card border-input has-[textarea:focus-visible]:outline-ring has-[textarea:focus-visible]:outline-2 grid gap-1 rounded-xl border p-1.5 shadow-md"
      onSubmit={send}
    >
      <div className="flex items-end gap-1.5">
        {context}
        <div className="min-w-0 flex-1">
          <Textarea
            label={t('chat.question')}
            hideLabel
            placeholder={t('chat.placeholder')}
            aria-describedby={hint}
            maxLength={MAX_QUESTION}
            rows={Math.min(question.split('\n').length, MAX_ROWS)}
            className="field-sizing-content max-h-40 min-h-10 resize-none border-0 text-base outline-none"
            value={question}
            onValue={setQuestion}
            onKeyDown={onKeyDown}
          />
        </div>
        {onStop ? (
          <Button size="icon" aria-label={t('chat.stop')} onClick={onStop} icon={Square} />
        ) : (
          <Button
            type="submit"
            size="icon"
            aria-label={t('chat.send')}
            title={t('chat.send')}
            disabled={empty}
            icon={SendHorizontal}
          />
        )}
      </div>
      <div
        className={cn(
          'flex items-center justify-between gap-2 px-2',
          !onClear && 'not-pointer-fine:sr-only max-sm:sr-only',
        )}
      >
        <p id={hint} className="text-muted-foreground text-xs">
          {t('chat.hint')} {!kept && t('chat.thisTabOnly')}
        </p>
        {onClear && (
          <Button variant="ghost" size="sm" onClick={onClear} icon={Trash2}>
            {t('chat.clear')}
          </Button>
        )}
      </div>
    </Form>
  )
}

const COMMANDS = `export OPENAI_API_KEY=…
SEARCHQA_JUDGE_MODEL=openai:gpt-6-luna searchqa up`

/** Says once how a model judges instead of rules. */
export function ModelJudgeHint() {
  const { t } = useTranslation(['ai', 'common'])
  const { due } = useModelJudgeHint()
  if (!due) return null
  return (
    <aside className="bg-muted grid gap-2 rounded-md p-3 text-sm">
      <div className="flex items-start justify-between gap-2">
        <p>{t('ai:chat.modelJudge')}</p>
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('common:close')}
          onClick={() => useModelJudgeHint.setState({ due: false })}
          icon={X}
        />
      </div>
      <pre className="overflow-x-auto">{COMMANDS}</pre>
    </aside>
  )
}
