import { Save } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Form, Input, TriggeredDialog } from '@/components/ui'
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
        <Form className="grid gap-3" onSubmit={() => submit(close)} noValidate>
          <Input
            label={t('keep.name')}
            hint={t('keep.nameHint')}
            error={name === '' || NAME.test(name) ? undefined : t('keep.nameHint')}
            value={name}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setWritten(target.value)}
          />
          <Input
            label={t('keep.note')}
            hint={t('keep.noteHint')}
            value={note}
            maxLength={500}
            onChange={({ target }) => setNote(target.value)}
          />
          {keep.error && <ErrorState error={keep.error} />}
          <Button
            type="submit"
            className="justify-self-end"
            disabled={!NAME.test(name) || keep.isPending}
          >
            {t('keep.keep')}
          </Button>
        </Form>
      )}
    </TriggeredDialog>
  )
}
