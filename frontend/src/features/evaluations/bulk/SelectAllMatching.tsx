import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { errorMessage } from '@/lib/errorMessage'
import { toast } from '@/lib/toast'

/** Chooses what matches beyond the rows that are shown. */
export function SelectAllMatching({ onSelect }: { onSelect: () => Promise<void> }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const request = useMutation({
    mutationFn: onSelect,
    onError: (error) => toast(errorMessage(error, common), 'error'),
  })
  return (
    <Button
      variant="ghost"
      size="sm"
      className="underline underline-offset-2"
      disabled={request.isPending}
      onClick={() => request.mutate()}
    >
      {t('bulk.selectAll')}
    </Button>
  )
}
