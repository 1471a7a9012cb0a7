import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Select, TriggeredDialog } from '@/components/ui'

import { NewSecret } from './NewSecret'

interface Props {
  /** What the button says, and what it is called among others. */
  action: string
  title: string
  description: string
  overlap: string
  /** How long the present one may still be used; 0: not at all. */
  hours: number[]
  /** What is new, once it is there. */
  made: { label: string; secret: string } | undefined
  request: { mutate: (hours: number) => void; error: unknown; isPending: boolean }
  onOpenChange: () => void
}

/** A new token or key, shown once, beside the present one for a while. */
export function RotateDialog(props: Props) {
  const { action, title, description, overlap, made, request } = props
  const { t } = useTranslation('settings')
  const [hours, setHours] = useState(24)
  return (
    <TriggeredDialog
      title={title}
      description={description}
      trigger={action}
      onOpenChange={props.onOpenChange}
    >
      {made ? (
        <NewSecret {...made} />
      ) : (
        <div className="grid gap-4">
          <Select
            label={overlap}
            value={hours}
            onValue={setHours}
            options={props.hours.map((count) => ({
              value: count,
              text: count === 0 ? t('rotation.atOnce') : t('rotation.hours', { count }),
            }))}
          />
          {Boolean(request.error) && <ErrorState error={request.error} />}
          <Button
            variant="primary"
            className="justify-self-end"
            disabled={request.isPending}
            onClick={() => request.mutate(hours)}
          >
            {action}
          </Button>
        </div>
      )}
    </TriggeredDialog>
  )
}
