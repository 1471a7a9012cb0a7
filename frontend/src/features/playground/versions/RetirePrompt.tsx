import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import type { PromptVersion } from '@/hooks/useJudgePrompts'
import { toast } from '@/lib/toast'

import { useRetirePrompt } from '../api/prompts'

export function RetirePrompt({ version }: { version: PromptVersion }) {
  const { t } = useTranslation('playground')
  const retire = useRetirePrompt()
  const { reference } = version
  if (version.retired_at !== null) return null
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm" aria-label={t('retire.label', { reference })}>
          {t('retire.open')}
        </Button>
      }
      title={t('retire.label', { reference })}
      description={t('retire.text')}
      action={t('retire.open')}
      request={retire}
      onConfirm={(close) =>
        retire.mutate(version.id, {
          onSuccess: () => {
            toast(t('retire.done', { reference }), 'success')
            close()
          },
        })
      }
    />
  )
}
