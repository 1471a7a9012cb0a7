import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useAIStream, type ChatRequest } from '@/hooks/useAIStream'

import { EmptyState } from './EmptyState'
import { Composer } from './answer/Composer'
import { Message } from './answer/Message'

interface Props {
  /** Conversations of different names are kept apart. */
  conversation: string
  /** Goes with each question. */
  options?: NonNullable<ChatRequest['options']>
}

/** Asks notes: streaming answers, and under each the life of its verdict. */
export function AIChat({ conversation, options = {} }: Props) {
  const { t } = useTranslation('ai')
  const { messages, isStreaming, ask, retry, stop, clear } = useAIStream(conversation)
  const writing = messages.find(({ state }) => state === 'streaming')
  const end = useScrollToNewest(messages.at(-1)?.id)
  const onAsk = (content: string) => {
    ask({ content, options, feature: 'search_qa' })
  }
  return (
    <section aria-label={t('chat.conversation')} className="grid min-w-0 gap-6">
      {messages.length === 0 && <EmptyState title={t('chat.empty')} text={t('chat.emptyText')} />}
      {messages.map((message) => (
        <Message
          key={message.id}
          message={message}
          onAsk={onAsk}
          onRetry={retry}
          busy={isStreaming}
        />
      ))}
      <div ref={end} />
      <div className="bg-background sticky bottom-0 z-10 grid gap-2 py-3">
        <Composer
          onAsk={onAsk}
          onStop={
            writing
              ? () => {
                  stop(writing.id)
                }
              : null
          }
          onClear={messages.length > 0 ? clear : null}
        />
      </div>
    </section>
  )
}

/** Brings a question that was just asked into view; what was there at first stays where it is. */
function useScrollToNewest(newest: string | undefined) {
  const end = useRef<HTMLDivElement>(null)
  const shown = useRef(newest)
  useEffect(() => {
    if (newest !== undefined && newest !== shown.current) {
      end.current?.scrollIntoView({ block: 'end' })
    }
    shown.current = newest
  }, [newest])
  return end
}
