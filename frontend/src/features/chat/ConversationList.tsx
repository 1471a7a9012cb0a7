import { type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ConfirmDialog, PagedList, RequestForm } from '@/components/page'
import { Checkbox, IconButton, Input, TriggeredDialog } from '@/components/ui'
import { cn } from '@/lib/cn'
import { date } from '@/lib/figures'

import {
  type Conversation,
  useConversations,
  useDeleteConversation,
  useRename,
} from './conversations'

// A list of more is searched.
const SHORT_LIST = 8

interface Props {
  /** The one that is open. */
  current: string | undefined
  /** Called when one is chosen. */
  onChoose?: () => void
  onDeleted: (id: string) => void
}

/** The reader's conversations, newest first. */
export function ConversationList({ current, onChoose, onDeleted }: Props) {
  const { t } = useTranslation('chat')
  const [containing, setContaining] = useState('')
  const list = useConversations(containing.trim())
  const shown = list.data?.pages.flatMap((page) => page.items).length ?? 0
  const isLong = shown > SHORT_LIST || list.hasNextPage || containing !== ''
  return (
    <div className="grid content-start gap-3">
      {isLong && (
        <Input
          type="search"
          label={t('conversations.search')}
          hideLabel
          placeholder={t('conversations.search')}
          maxLength={200}
          value={containing}
          onValue={setContaining}
        />
      )}
      <PagedList
        list={list}
        empty={
          <p className="text-muted-foreground text-sm">
            {containing === '' ? t('conversations.none') : t('conversations.noMatch')}
          </p>
        }
      >
        {(items) => (
          <ol className="grid gap-1">
            {items.map((item) => (
              <Entry
                key={item.id}
                conversation={item}
                isCurrent={item.id === current}
                {...(onChoose && { onChoose })}
                onDeleted={onDeleted}
              />
            ))}
          </ol>
        )}
      </PagedList>
    </div>
  )
}

interface EntryProps extends Omit<Props, 'current'> {
  conversation: Conversation
  isCurrent: boolean
}

function Entry({ conversation, isCurrent, onChoose, onDeleted }: EntryProps) {
  const { id, title, last_asked_at: asked } = conversation
  return (
    <li className={cn('rounded-md text-sm', isCurrent ? 'bg-accent' : 'hover:bg-muted')}>
      <Link
        to={`/c/${id}`}
        aria-current={isCurrent ? 'page' : undefined}
        className={cn(
          'line-clamp-2 px-2 pt-2 wrap-anywhere',
          isCurrent && 'text-accent-foreground font-medium',
        )}
        onClick={onChoose}
      >
        {title}
      </Link>
      <div className="flex items-center justify-between pl-2">
        <time dateTime={asked} className="text-muted-foreground text-xs">
          {date(asked)}
        </time>
        <div className="flex">
          <RenameConversation conversation={conversation} />
          <DeleteConversation conversation={conversation} onDeleted={onDeleted} />
        </div>
      </div>
    </li>
  )
}

const iconButton = (icon: LucideIcon, label: string) => (
  <IconButton className="size-8" {...{ icon, title: label }} label={label} />
)

interface DeleteConversationProps {
  conversation: Conversation
  onDeleted: (id: string) => void
}

/** Deletes a conversation; its answers and evaluations stay unless the reader says otherwise. */
function DeleteConversation({ conversation, onDeleted }: DeleteConversationProps) {
  const { t } = useTranslation('chat')
  const { id, title, answers } = conversation
  const [withAnswers, setWithAnswers] = useState(false)
  const request = useDeleteConversation(id)
  return (
    <ConfirmDialog
      trigger={iconButton(Trash2, t('conversations.deleteOne', { title }))}
      title={t('conversations.delete')}
      description={t('conversations.whatStays')}
      action={t('conversations.delete')}
      request={request}
      input={withAnswers}
      done={t('conversations.deleted')}
      onDone={() => onDeleted(id)}
    >
      <Checkbox checked={withAnswers} onChange={setWithAnswers}>
        {t('conversations.withAnswers', { count: answers })}
      </Checkbox>
    </ConfirmDialog>
  )
}

// As the API limits it.
const MAX_TITLE = 200

function RenameConversation({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation(['chat', 'common'])
  const { id, title } = conversation
  const [name, setName] = useState('')
  const rename = useRename(id)
  return (
    <TriggeredDialog
      title={t('chat:conversations.rename')}
      trigger={iconButton(Pencil, t('chat:conversations.renameOne', { title }))}
      onOpenChange={() => {
        setName(title)
        rename.reset()
      }}
    >
      {(close) => (
        <RequestForm
          request={rename}
          action={t('common:save')}
          onSubmit={() => rename.mutate(name.trim() || null, { onSuccess: close })}
        >
          <Input
            label={t('chat:conversations.name')}
            hint={t('chat:conversations.nameHint')}
            maxLength={MAX_TITLE}
            value={name}
            onValue={setName}
          />
        </RequestForm>
      )}
    </TriggeredDialog>
  )
}
