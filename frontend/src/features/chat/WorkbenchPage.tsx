import { MessageSquarePlus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'

import { PageHeader } from '@/components/page'
import { Button } from '@/components/ui'
import { clear, move } from '@/hooks/conversations'
import { useNotebooks } from '@/hooks/workspace'
import type { PageState } from '@/lib/pageState'
import { newUuid } from '@/lib/uuid'

import { ConversationList } from './ConversationList'
import { ConversationsDialog } from './ConversationsDialog'
import { FirstNotes } from './FirstNotes'
import { OpenConversation } from './OpenConversation'
import { Options } from './Options'
import { chatOptions, NOTHING_ASKED } from './asked'
import { useOpenConversation } from './useOpenConversation'

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
    <div className="mx-auto max-w-4xl xl:max-w-6xl">
      <PageHeader
        title={title === undefined ? t('title') : shortened(title)}
        {...(open === undefined && { lead: t('lead') })}
      >
        <div className="flex flex-wrap gap-2">
          <ConversationsDialog current={open} onDeleted={onDeleted} />
          {open !== undefined && (
            <Button asChild variant="outline">
              <Link to="/">
                <MessageSquarePlus aria-hidden />
                {t('conversations.new')}
              </Link>
            </Button>
          )}
        </div>
      </PageHeader>
      <div className="grid gap-6 xl:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label={t('conversations.title')} className={BESIDE}>
          <h2 className="mb-2 font-semibold">{t('conversations.title')}</h2>
          <ConversationList current={open} onDeleted={onDeleted} />
        </nav>
        <div className="grid content-start gap-6">
          {notebooks?.length === 0 && <FirstNotes />}
          {!conversation.isMissing && <Options value={asked} onChange={setAsked} />}
          <OpenConversation
            key={id}
            id={id}
            conversation={conversation}
            options={options}
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
