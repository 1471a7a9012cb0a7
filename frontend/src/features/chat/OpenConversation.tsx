import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { AIChat } from '@/components/AIChat'
import { EmptyState, ErrorState } from '@/components/page'
import { Button, Spinner } from '@/components/ui'
import type { ChatRequest } from '@/hooks/useAIStream'

import type { useOpenConversation } from './useOpenConversation'

interface Props {
  id: string
  conversation: ReturnType<typeof useOpenConversation>
  options: NonNullable<ChatRequest['options']>
  examples: readonly string[]
  onAsked: () => void
}

/** The questions and answers of a conversation, and where the next one is asked. */
export function OpenConversation({ id, conversation, ...rest }: Props) {
  const { t } = useTranslation('chat')
  const { stored, answers, isPending, isMissing, error } = conversation
  if (isPending) return <Spinner />
  if (isMissing) {
    return (
      <EmptyState title={t('conversations.missing')} text={t('conversations.missingText')}>
        <Button asChild variant="outline">
          <Link to="/">{t('conversations.new')}</Link>
        </Button>
      </EmptyState>
    )
  }
  if (error) return <ErrorState error={error} onRetry={answers.refetch} />
  return (
    <div className="grid gap-6">
      {answers.hasNextPage && (
        <Button
          variant="outline"
          className="justify-self-center"
          disabled={answers.isFetchingNextPage}
          onClick={() => void answers.fetchNextPage()}
        >
          {t('conversations.earlier')}
        </Button>
      )}
      <AIChat conversation={id} stored={stored} {...rest} />
    </div>
  )
}
