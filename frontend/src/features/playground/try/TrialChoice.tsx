import { useTranslation } from 'react-i18next'

import { CardTitle, Select } from '@/components/ui'
import { moment } from '@/lib/figures'

import type { Trial } from '../api/trials'

interface Props {
  trials: readonly Trial[]
  trial: Trial
  onChoose: (id: string) => void
}

/** Which of the answer's trials is shown. */
export function TrialChoice({ trials, trial, onChoose }: Props) {
  const { t } = useTranslation('playground')
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <CardTitle className="mb-0">{t('result.title')}</CardTitle>
      {trials.length > 1 && (
        <div className="max-w-full">
          <Select
            label={t('result.which')}
            value={trial.id}
            onChange={({ target }) => onChoose(target.value)}
          >
            {trials.map((each) => (
              <option key={each.id} value={each.id}>
                {`${moment(each.created_at)} · ${each.judge_model} · ${each.prompt}${
                  each.instructions === null ? '' : ` ${t('result.edited')}`
                }`}
              </option>
            ))}
          </Select>
        </div>
      )}
    </div>
  )
}
