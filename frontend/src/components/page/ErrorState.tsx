import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { errorMessage } from '@/lib/errorMessage'
import { ApiError } from '@/lib/problem'

import { TextWithCode } from './TextWithCode'

/** What went wrong, in the reader's language, with the fields that were not valid. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const { t } = useTranslation()
  const fields = error instanceof ApiError ? (error.problem.errors ?? []) : []
  return (
    <div
      role="alert"
      className="bg-danger-soft text-danger-foreground grid justify-items-start gap-2 rounded-lg p-4 text-sm"
    >
      <p className="flex items-center gap-2 font-semibold">
        <CircleAlert aria-hidden className="size-4" />
        {t('error.title')}
      </p>
      <p>
        <TextWithCode text={errorMessage(error)} />
      </p>
      {fields.length > 1 && (
        <ul className="list-disc pl-5">
          {fields.map(({ at, message }) => (
            <li key={`${at} ${message}`}>
              {at}: <TextWithCode text={message} />
            </li>
          ))}
        </ul>
      )}
      {onRetry && (
        <Button size="sm" onClick={() => void onRetry()}>
          {t('retry')}
        </Button>
      )}
    </div>
  )
}
