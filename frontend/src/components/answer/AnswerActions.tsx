import { ClipboardCheck, Link as LinkIcon, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHref } from 'react-router'

import { Button, ButtonLink, Form, Input } from '@/components/ui'
import { useThumb } from '@/hooks/useFeedback'
import { cn } from '@/lib/cn'
import { copyText } from '@/lib/toast'

const THUMBS = [
  { label: 'right', Icon: ThumbsUp },
  { label: 'wrong', Icon: ThumbsDown },
] as const

/** Below an answer: the reader's thumb, and the way to its evaluation. */
export function AnswerActions({ evaluationId }: { evaluationId: string }) {
  const { t } = useTranslation('ai')
  const thumb = useThumb(evaluationId)
  const { mine, mayLabel, isPending, save, remove } = thumb
  const [commenting, setCommenting] = useState(false)
  return (
    <div className="-ml-2 grid gap-2">
      <div className="flex flex-wrap items-center gap-1">
        {mayLabel && (
          <div role="group" aria-label={t('actions.thumbs')} className="flex gap-1">
            {THUMBS.map(({ label, Icon }) => (
              <Button
                key={label}
                variant="ghost"
                size="sm"
                pressed={mine?.label === label}
                aria-label={t(`actions.${label}`)}
                title={t(`actions.${label}`)}
                disabled={isPending}
                className="px-2"
                onClick={() => {
                  setCommenting(mine?.label !== label)
                  if (mine?.label === label) remove()
                  else save({ label })
                }}
              >
                <Icon aria-hidden className={cn(mine?.label === label && 'fill-current')} />
              </Button>
            ))}
          </div>
        )}
        {mine && !commenting && (
          <Button variant="ghost" size="sm" onClick={() => setCommenting(true)}>
            {mine.comment === null ? t('actions.comment') : t('actions.changeComment')}
          </Button>
        )}
        <ButtonLink
          to={`/evaluations/${evaluationId}`}
          variant="ghost"
          size="sm"
          icon={ClipboardCheck}
        >
          {t('actions.evaluation')}
        </ButtonLink>
        <CopyLink evaluationId={evaluationId} />
      </div>
      {mine?.label === 'partly' && (
        <p className="text-muted-foreground text-sm">{t('actions.partly')}</p>
      )}
      {mine && commenting && <ThumbComment thumb={thumb} onClose={() => setCommenting(false)} />}
      {mine?.comment && !commenting && (
        <p className="text-muted-foreground text-sm wrap-anywhere whitespace-pre-wrap">
          {mine.comment}
        </p>
      )}
    </div>
  )
}

/** Copies the address of the evaluation, which everybody in the workspace can open. */
function CopyLink({ evaluationId }: { evaluationId: string }) {
  const { t } = useTranslation('ai')
  const address = new URL(useHref(`/evaluations/${evaluationId}`), window.location.origin).href
  const copy = () => copyText(address, t('actions.copied'), t('actions.notCopied', { address }))
  return (
    <Button variant="ghost" size="sm" onClick={copy} icon={LinkIcon}>
      {t('actions.copy')}
    </Button>
  )
}

// As the API limits it.
const MAX_COMMENT = 4000

interface Props {
  thumb: ReturnType<typeof useThumb>
  onClose: () => void
}

// It may open behind the composer.
const intoView = (form: HTMLElement | null) => form?.scrollIntoView({ block: 'nearest' })

/** A sentence that goes with the thumb. */
function ThumbComment({ thumb: { mine, isPending, save }, onClose }: Props) {
  const { t } = useTranslation(['ai', 'common'])
  const [comment, setComment] = useState(mine?.comment ?? '')
  const send = () => save({ comment: comment.trim() || null }, onClose)
  return (
    <Form ref={intoView} onSubmit={send} className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <Input
          label={mine?.label === 'wrong' ? t('ai:actions.whatIsWrong') : t('ai:actions.why')}
          maxLength={MAX_COMMENT}
          value={comment}
          onValue={setComment}
        />
      </div>
      <div className="flex gap-2">
        <Button type="submit" variant="outline" disabled={isPending}>
          {t('common:save')}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {t('common:close')}
        </Button>
      </div>
    </Form>
  )
}
