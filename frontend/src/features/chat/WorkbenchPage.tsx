import { History, MessageSquarePlus } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'

import { AIChat } from '@/components/AIChat'
import { EmptyState, ErrorState, PageHeader } from '@/components/page'
import { Button, ButtonLink, Spinner, TriggeredDialog } from '@/components/ui'
import { isStored, messageOf } from '@/hooks/answerMessage'
import { clear, move } from '@/hooks/conversations'
import { type ChatRequest, useAIStream } from '@/hooks/useAIStream'
import { useNotebooks } from '@/hooks/workspace'
import type { PageState } from '@/lib/page'
import { ApiError } from '@/lib/problem'
import { newUuid } from '@/lib/uuid'

import { ContextButton } from './ContextButton'
import { ConversationList } from './ConversationList'
import { chatOptions, NOTHING_ASKED } from './asked'
import {
  useConversation,
  useConversationAnswers,
  useRefreshConversations,
  useSampleNotes,
} from './conversations'

/** What is known of the conversation with that id, by the server and by this tab.
 *
 * hasAddress: it was asked in before. begun: it was begun on this page, and the server has nothing
 * of it before its first answer is stored. */
function useOpenConversation(id: string, hasAddress: boolean, begun: boolean) {
  const { messages: own } = useAIStream(id)
  const storedHere = own.filter(isStored).length
  const enabled = hasAddress && (!begun || storedHere > 0)
  const conversation = useConversation(id, enabled)
  const answers = useConversationAnswers(id, enabled)
  const refresh = useRefreshConversations()
  useEffect(() => {
    if (storedHere > 0) void refresh()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- at each answer that is stored.
  }, [storedHere])
  const stored = useMemo(
    () => (answers.data?.pages.flatMap((page) => page.items) ?? []).map(messageOf).reverse(),
    [answers.data],
  )
  const known = !enabled || own.length > 0 || answers.data !== undefined
  return {
    title: conversation.data?.title,
    stored,
    answers,
    isPending: !known && answers.isPending,
    error: known ? null : answers.error,
    /** There is none with that id, or it is somebody else's; the server does not say which. */
    isMissing: !known && isMissing(answers.error),
  }
}

/** 422 is an address that is no id. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && [404, 422].includes(error.status)
}

// Where the API stores the sample notes; they answer the examples.
const SAMPLE_NOTEBOOK = 'laboratory'
const EXAMPLES = ['first', 'second', 'third'] as const
const MAX_HEADING = 80
// In view while the conversation is scrolled, with a scrollbar of its own.
const BESIDE =
  'sticky top-18 hidden max-h-[calc(100dvh-5.5rem)] self-start overflow-y-auto xl:block'

/** The id of a conversation to begin. What this tab has from the time when conversations had no ids
 * becomes its beginning. */
function beginning(): string {
  const id = newUuid()
  move('workbench', id)
  return id
}

export function WorkbenchPage() {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  const { conversation: open } = useParams()
  const [next, setNext] = useState(beginning)
  const [begun, setBegun] = useState<string>()
  // The conversation has its address; the next one is another.
  if (next === open) setNext(newUuid())
  const id = open ?? next
  const conversation = useOpenConversation(id, open !== undefined, id === begun)

  const [asked, setAsked] = useState(NOTHING_ASKED)
  const options = useMemo(() => chatOptions(asked), [asked])
  const { data: notebooks } = useNotebooks()
  const hasSamples = notebooks?.some(({ name }) => name === SAMPLE_NOTEBOOK)
  const examples = hasSamples ? EXAMPLES.map((name) => t(`examples.${name}`)) : []

  const onAsked = () => {
    if (open !== undefined) return
    setBegun(id)
    const state: PageState = { keepFocus: true }
    void navigate(`/c/${id}`, { replace: true, preventScrollReset: true, state })
  }
  const onDeleted = (deleted: string) => {
    clear(deleted)
    if (deleted === open) void navigate('/')
  }
  const { title } = conversation
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-5.5rem)] max-w-3xl flex-col md:min-h-[calc(100dvh-7.5rem)] xl:max-w-6xl">
      <PageHeader
        title={title === undefined ? t('title') : shortened(title)}
        {...(open === undefined && { lead: t('lead') })}
      >
        <div className="flex flex-wrap gap-2">
          <ConversationsDialog current={open} onDeleted={onDeleted} />
          {open !== undefined && (
            <ButtonLink to="/" icon={MessageSquarePlus}>
              {t('conversations.new')}
            </ButtonLink>
          )}
        </div>
      </PageHeader>
      <div className="gap-page grid flex-1 xl:grid-cols-[15rem_minmax(0,48rem)]">
        <nav aria-label={t('conversations.title')} className={BESIDE}>
          <h2 className="mb-2 font-semibold">{t('conversations.title')}</h2>
          <ConversationList current={open} onDeleted={onDeleted} />
        </nav>
        <div className="gap-section flex flex-col">
          {notebooks?.every(({ notes }) => notes === 0) && <FirstNotes />}
          <OpenConversation
            key={id}
            id={id}
            conversation={conversation}
            options={options}
            context={<ContextButton value={asked} onChange={setAsked} />}
            examples={examples}
            onAsked={onAsked}
          />
        </div>
      </div>
    </div>
  )
}

function shortened(title: string): string {
  return title.length > MAX_HEADING ? `${title.slice(0, MAX_HEADING).trimEnd()}…` : title
}

/** Where there are no notes to ask: the ways to some. */
function FirstNotes() {
  const { t } = useTranslation('chat')
  const { mutate, isPending, error } = useSampleNotes()
  return (
    <EmptyState title={t('first.title')} text={t('first.text')}>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" disabled={isPending} onClick={() => mutate()}>
          {t('first.samples')}
        </Button>
        <ButtonLink to="/notes">{t('first.own')}</ButtonLink>
        <ButtonLink to="/connect">{t('first.connect')}</ButtonLink>
      </div>
      {error && <ErrorState error={error} />}
    </EmptyState>
  )
}

interface Props {
  current: string | undefined
  onDeleted: (id: string) => void
}

/** The list of conversations where there is no room for it beside the page. */
function ConversationsDialog({ current, onDeleted }: Props) {
  const { t } = useTranslation('chat')
  return (
    <TriggeredDialog
      title={t('conversations.title')}
      trigger={
        <Button className="xl:hidden" icon={History}>
          {t('conversations.title')}
        </Button>
      }
    >
      {(close) => <ConversationList current={current} onChoose={close} onDeleted={onDeleted} />}
    </TriggeredDialog>
  )
}

interface OpenConversationProps {
  id: string
  conversation: ReturnType<typeof useOpenConversation>
  options: NonNullable<ChatRequest['options']>
  context: ReactNode
  examples: readonly string[]
  onAsked: () => void
}

/** The questions and answers of a conversation, and where the next one is asked. */
function OpenConversation({ id, conversation, ...rest }: OpenConversationProps) {
  const { t } = useTranslation('chat')
  const { stored, answers, isPending, isMissing, error } = conversation
  if (isPending) return <Spinner />
  if (isMissing) {
    return (
      <EmptyState title={t('conversations.missing')} text={t('conversations.missingText')}>
        <ButtonLink to="/">{t('conversations.new')}</ButtonLink>
      </EmptyState>
    )
  }
  if (error) return <ErrorState error={error} onRetry={answers.refetch} />
  return (
    <div className="gap-section flex flex-1 flex-col">
      {answers.hasNextPage && (
        <Button
          className="self-center"
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
