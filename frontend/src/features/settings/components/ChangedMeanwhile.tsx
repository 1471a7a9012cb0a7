import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

import type { Field, Policy } from '../api/policy'
import { same, type Editing } from '../policyEditing'
import { draftOf, policyOf } from '../policyFields'
import { useShown } from '../useShown'

interface Props {
  editing: Editing
  onTake: (name: Field) => void
}

/** What somebody else has saved while this policy was being written, beside what is written. */
export function ChangedMeanwhile({ editing: { base, draft, changed }, onTake }: Props) {
  const { t } = useTranslation('settings')
  const { data: notebooks = [] } = useNotebooks()
  const { showValue } = useShown(notebooks)
  const theirs = draftOf(base.policy)
  const ours = policyOf(draft)
  const show = (name: Field, policy: Policy) =>
    policy[name] === null ? t('policy.asServer') : showValue(name, policy[name])
  return (
    <div role="alert" className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
      <p className="font-medium">{t('policy.meanwhile.title')}</p>
      <p>{t('policy.meanwhile.text')}</p>
      <ul className="mt-2 grid gap-2">
        {changed.map((name) => {
          const field = t(`policy.fields.${name}`)
          const differs = !same(draft[name], theirs[name])
          return (
            <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{field}</span>
              <span>{t('policy.meanwhile.theirs', { value: show(name, base.policy) })}</span>
              {differs ? (
                <>
                  <span>{t('policy.meanwhile.ours', { value: show(name, ours) })}</span>
                  <Button
                    variant="outline"
                    size="sm"
                    aria-label={t('policy.meanwhile.takeOne', { field })}
                    onClick={() => onTake(name)}
                  >
                    {t('policy.meanwhile.take')}
                  </Button>
                </>
              ) : (
                <span>{t('policy.meanwhile.taken')}</span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
