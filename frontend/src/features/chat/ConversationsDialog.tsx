import { History } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Dialog, DialogContent, DialogTrigger } from '@/components/ui'

import { ConversationList } from './ConversationList'

interface Props {
  current: string | undefined
  onDeleted: (id: string) => void
}

/** The list of conversations where there is no room for it beside the page. */
export function ConversationsDialog({ current, onDeleted }: Props) {
  const { t } = useTranslation('chat')
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" className="xl:hidden">
          <History aria-hidden />
          {t('conversations.title')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('conversations.title')}>
        <ConversationList current={current} onChoose={() => setOpen(false)} onDeleted={onDeleted} />
      </DialogContent>
    </Dialog>
  )
}
