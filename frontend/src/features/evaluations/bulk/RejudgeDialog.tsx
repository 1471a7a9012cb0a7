import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import {
  Button,
  Dialog,
  DialogClose,
  DialogContent,
  DialogTrigger,
  Input,
  Spinner,
} from '@/components/ui'

import {
  useRejudgeEstimate,
  useStartRejudge,
  type JudgeChoice,
  type RejudgeRead,
} from '../api/bulk'

import { RejudgeEstimate } from './RejudgeEstimate'

interface Props {
  ids: readonly string[]
  onStarted: (started: RejudgeRead) => void
}

/** Has what is selected judged again, once it is said what that takes. */
export function RejudgeDialog({ ids, onStarted }: Props) {
  const { t } = useTranslation('evaluations')
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm">
          <RotateCw aria-hidden />
          {t('actions.rejudge')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('bulk.rejudge.title')} description={t('bulk.rejudge.text')}>
        <Choice
          ids={ids}
          onStarted={(started) => {
            setOpen(false)
            onStarted(started)
          }}
        />
      </DialogContent>
    </Dialog>
  )
}

function Choice({ ids, onStarted }: Props) {
  const { t } = useTranslation(['evaluations', 'common'])
  const [choice, setChoice] = useState<JudgeChoice>({ judge: '', prompt: '' })
  const estimate = useRejudgeEstimate(ids, choice)
  const start = useStartRejudge()
  const take = (changes: Partial<JudgeChoice>) => {
    start.reset()
    setChoice({ ...choice, ...changes })
  }
  return (
    <div className="grid gap-4">
      {(['judge', 'prompt'] as const).map((name) => (
        <Input
          key={name}
          label={t(`bulk.rejudge.${name}`)}
          hint={t(`bulk.rejudge.${name}Hint`)}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onBlur={({ target }) => take({ [name]: target.value.trim() })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') take({ [name]: currentTarget.value.trim() })
          }}
        />
      ))}
      <div role="status" className="min-h-24">
        {estimate.isPending && <Spinner />}
        {estimate.data && <RejudgeEstimate selected={ids.length} estimate={estimate.data} />}
      </div>
      {estimate.isError && <ErrorState error={estimate.error} />}
      {start.isError && <ErrorState error={start.error} />}
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button variant="outline">{t('common:cancel')}</Button>
        </DialogClose>
        <Button
          disabled={!estimate.data?.to_judge || start.isPending}
          onClick={() => start.mutate({ ids, choice }, { onSuccess: onStarted })}
        >
          {t('bulk.rejudge.start', { count: estimate.data?.to_judge ?? 0 })}
        </Button>
      </div>
    </div>
  )
}
