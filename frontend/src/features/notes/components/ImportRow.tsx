import { useTranslation } from 'react-i18next'

import { Badge, ProgressBar, Spinner } from '@/components/ui'
import { errorMessage } from '@/lib/errorMessage'

import type { ImportState } from '../useImports'

interface Props {
  file: File
  state: ImportState
}

/** One file, and how far it is or what became of it. */
export function ImportRow({ file, state }: Props) {
  const { t } = useTranslation('notes')
  const { t: tCommon } = useTranslation()
  return (
    <li className="grid gap-1 py-2 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{file.name}</span>
        {state.step === 'waiting' && <Badge>{t('import.waiting')}</Badge>}
        {state.step === 'stored' && <Badge variant="success">{t('import.stored')}</Badge>}
        {state.step === 'refused' && <Badge variant="danger">{t('import.refused')}</Badge>}
      </span>
      {state.step === 'sending' && state.sent < 1 && (
        <ProgressBar label={t('import.sending')} value={state.sent} />
      )}
      {state.step === 'sending' && state.sent >= 1 && <Spinner label={t('import.storing')} />}
      {state.step === 'stored' && <span>{t('import.result', { ...state.result })}</span>}
      {state.step === 'refused' && (
        <span className="text-danger">
          {typeof state.reason === 'string'
            ? t(`import.${state.reason}`)
            : errorMessage(state.reason.error, tCommon)}
        </span>
      )}
    </li>
  )
}
