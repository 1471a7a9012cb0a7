import { SendHorizontal, Square, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState } from '@/components/page'
import { Button, Form, Textarea } from '@/components/ui'
import { isStored, withStored } from '@/hooks/answerMessage'
import { type AIMessage, type ChatRequest, useAIStream } from '@/hooks/useAIStream'
import { useFollowNewest } from '@/hooks/useFollowNewest'

import { ModelJudgeHint } from './ModelJudgeHint'
import { Message } from './answer/Message'

interface Props {
  /** Conversations of different names are kept apart. */
  conversation: string
  /** Goes with each question. */
  options?: NonNullable<ChatRequest['options']>
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
export function AIChat({ conversation, options = {}, examples = [], stored, onAsked }: Props) {
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
    <section ref={shown} aria-label={t('chat.conversation')} className="grid gap-6">
      {messages.length === 0 && (
        <EmptyState title={t('chat.empty')} text={t('chat.emptyText')}>
          <Examples questions={examples} onAsk={onAsk} />
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
      <div ref={composer} className="bg-background sticky bottom-0 z-10 grid gap-2 py-3">
        <Composer
          onAsk={onAsk}
          onStop={writing ? () => stop(writing.id) : null}
          onClear={own.length > 0 && !own.some(isStored) && !stored?.length ? clear : null}
          kept={kept}
        />
      </div>
    </section>
  )
}

interface ExamplesProps {
  questions: readonly string[]
  onAsk: (question: string) => void
}

function Examples({ questions, onAsk }: ExamplesProps) {
  const { t } = useTranslation('ai')
  if (questions.length === 0) return null
  return (
    <>
      <p className="text-sm font-medium">{t('chat.examples')}</p>
      <ul className="grid justify-items-center gap-2">
        {questions.map((question) => (
          <li key={question}>
            <Button
              size="sm"
              className="h-auto py-1 text-left whitespace-normal"
              onClick={() => onAsk(question)}
            >
              {question}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

// As the API limits it.
const MAX_QUESTION = 4000

interface ComposerProps {
  onAsk: (question: string) => void
  /** Given while an answer is being written. */
  onStop: (() => void) | null
  /** Given where there is something to clear. */
  onClear: (() => void) | null
  /** Whether the server keeps the conversation, not this tab alone. */
  kept: boolean
}

/** Where the question is written. */
function Composer({ onAsk, onStop, onClear, kept }: ComposerProps) {
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
      className="bg-card border-border grid gap-2 rounded-lg border p-3 shadow-md"
      onSubmit={send}
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
          <Button variant="ghost" size="sm" onClick={onClear} icon={Trash2}>
            {t('chat.clear')}
          </Button>
        )}
        {onStop ? (
          <Button onClick={onStop} icon={Square}>
            {t('chat.stop')}
          </Button>
        ) : (
          <Button type="submit" disabled={empty} icon={SendHorizontal}>
            {t('chat.send')}
          </Button>
        )}
      </div>
    </Form>
  )
}
