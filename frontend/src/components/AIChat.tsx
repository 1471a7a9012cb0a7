import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState } from '@/components/page'
import { Button } from '@/components/ui'
import { isStored, withStored } from '@/hooks/answerMessage'
import { useAIStream, type AIMessage, type ChatRequest } from '@/hooks/useAIStream'
import { useFollowNewest } from '@/hooks/useFollowNewest'

import { Composer } from './answer/Composer'
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
              variant="outline"
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
