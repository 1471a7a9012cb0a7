import { Gavel } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Dialog, DialogContent, DialogTrigger, Spinner } from '@/components/ui'
import { count, dollars } from '@/lib/figures'

import { LABELLED, useLabelledEstimate, useTryOnLabelled } from '../api/trials'

interface Props {
  judge: string
  /** Null while what is written is no version. */
  version: string | null
}

/** Has a version judge labelled answers, beside the verdicts that readers got. */
export function TryOnLabelled({ judge, version }: Props) {
  const { t } = useTranslation('playground')
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button type="button" variant="outline">
          <Gavel aria-hidden />
          {t('labelled.open', { count: LABELLED })}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t('labelled.open', { count: LABELLED })}
        description={t('labelled.text', { count: LABELLED })}
      >
        {version === null ? (
          <p className="text-sm">{t('labelled.keepFirst')}</p>
        ) : (
          <Start judge={judge} version={version} />
        )}
      </DialogContent>
    </Dialog>
  )
}

function Start({ judge, version }: { judge: string; version: string }) {
  const { t } = useTranslation('playground')
  const navigate = useNavigate()
  const { mutate, data: known, error } = useLabelledEstimate()
  const start = useTryOnLabelled()
  const [judges] = useState(() => [`${judge}@${version}`, 'stored'])
  useEffect(() => {
    mutate(judges)
  }, [mutate, judges])
  if (error) return <ErrorState error={error} />
  if (!known) return <Spinner label={t('labelled.estimating')} />
  const cost = known.cost_usd === null ? t('labelled.unknownCost') : dollars(known.cost_usd)
  return (
    <div className="grid gap-3 text-sm">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt>{t('labelled.answers')}</dt>
        <dd className="tabular-nums">{count(known.items)}</dd>
        <dt>{t('labelled.calls')}</dt>
        <dd className="tabular-nums">{count(known.calls)}</dd>
        <dt>{t('labelled.tokens')}</dt>
        <dd className="tabular-nums">
          {t('figures.tokenText', {
            prompt: count(known.prompt_tokens),
            completion: count(known.completion_tokens),
          })}
        </dd>
        <dt>{t('labelled.cost')}</dt>
        <dd className="tabular-nums">{cost}</dd>
      </dl>
      {start.error && <ErrorState error={start.error} />}
      <Button
        className="justify-self-end"
        disabled={start.isPending}
        onClick={() =>
          start.mutate(
            { name: version, judges },
            { onSuccess: ({ id }) => void navigate(`/benches/${id}`) },
          )
        }
      >
        {t('labelled.start', { cost })}
      </Button>
    </div>
  )
}
