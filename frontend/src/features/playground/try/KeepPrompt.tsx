import { Save } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { RequestForm } from '@/components/page'
import { Button, Input, TriggeredDialog } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useKeepPrompt } from '../api/prompts'
import type { Choice } from '../choices'

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

interface Props {
  choice: Choice
  lang: 'ko' | 'en'
  text: string
  onKept: (reference: string) => void
}

/** Keeps what is written as the next version of a name. */
export function KeepPrompt({ choice, lang, text, onKept }: Props) {
  const { t } = useTranslation('playground')
  const keep = useKeepPrompt()
  const before = choice.own ? choice.version.slice('workspace:'.length).split('@')[0] : ''
  const [written, setWritten] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const name = written ?? before ?? ''
  const submit = (close: () => void) => {
    if (!NAME.test(name)) return
    keep.mutate(
      { name, parent: choice.version, texts: { [lang]: text }, note },
      {
        onSuccess: ({ reference }) => {
          toast(t('keep.kept', { reference }), 'success')
          close()
          setNote('')
          onKept(reference)
        },
      },
    )
  }
  return (
    <TriggeredDialog
      title={t('keep.open')}
      description={t('keep.text')}
      trigger={<Button icon={Save}>{t('keep.open')}</Button>}
      onOpenChange={keep.reset}
    >
      {(close) => (
        <RequestForm
          request={keep}
          action={t('keep.keep')}
          disabled={!NAME.test(name)}
          onSubmit={() => submit(close)}
          noValidate
        >
          <Input
            label={t('keep.name')}
            hint={t('keep.nameHint')}
            error={name === '' || NAME.test(name) ? undefined : t('keep.nameHint')}
            value={name}
            maxLength={40}
            verbatim
            onValue={setWritten}
          />
          <Input
            label={t('keep.note')}
            hint={t('keep.noteHint')}
            value={note}
            maxLength={500}
            onValue={setNote}
          />
        </RequestForm>
      )}
    </TriggeredDialog>
  )
}
