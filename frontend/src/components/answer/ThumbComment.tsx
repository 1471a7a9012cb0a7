import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Input } from '@/components/ui'
import type { useThumb } from '@/hooks/useThumb'

// As the API limits it.
const MAX_COMMENT = 4000

interface Props {
  thumb: ReturnType<typeof useThumb>
  onClose: () => void
}

// It may open behind the composer.
const intoView = (form: HTMLElement | null) => form?.scrollIntoView({ block: 'nearest' })

/** A sentence that goes with the thumb. */
export function ThumbComment({ thumb: { mine, isPending, save }, onClose }: Props) {
  const { t } = useTranslation(['ai', 'common'])
  const [comment, setComment] = useState(mine?.comment ?? '')
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    save({ comment: comment.trim() || null }, onClose)
  }
  return (
    <form ref={intoView} onSubmit={send} className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <Input
          label={mine?.label === 'wrong' ? t('ai:actions.whatIsWrong') : t('ai:actions.why')}
          maxLength={MAX_COMMENT}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
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
    </form>
  )
}
