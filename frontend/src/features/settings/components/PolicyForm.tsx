import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/toast'

import { useSavePolicy, type Field, type Settings } from '../api/policy'
import { draftOf, GROUPS, policyOf, type Written } from '../policyFields'
import { mistakesOf, refusalsOf } from '../policyMistakes'

import { PolicyField } from './PolicyField'

interface Props {
  settings: Settings
  mayChange: boolean
  onReload: () => unknown
}

const groups = Object.entries(GROUPS) as [keyof typeof GROUPS, readonly Field[]][]

/** The workspace's policy; what is left empty is as the server's settings say. */
export function PolicyForm({ settings, mayChange, onReload }: Props) {
  const { t } = useTranslation(['settings', 'common'])
  const [draft, setDraft] = useState(() => draftOf(settings.policy))
  const { mutate, isPending, error, reset } = useSavePolicy()
  const mistakes = mistakesOf(draft)
  const refusals = refusalsOf(error)
  const atFields = Object.keys(refusals).length > 0

  function problemOf(name: Field) {
    const mistake = mistakes[name]
    if (!mistake) return refusals[name]
    const { key, ...blanks } = mistake
    return t(`policy.mistakes.${key}`, blanks)
  }
  function change(name: Field, value: Written) {
    setDraft((before) => ({ ...before, [name]: value }))
    reset()
  }
  function save() {
    mutate(
      { policy: policyOf(draft), version: settings.version },
      {
        onSuccess: () => {
          toast(t('policy.saved'), 'success')
        },
      },
    )
  }
  return (
    <form
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (Object.keys(mistakes).length === 0) save()
      }}
    >
      {groups.map(([group, names]) => (
        <fieldset key={group} disabled={!mayChange} className="min-w-0">
          <legend className="border-border mb-3 w-full border-b pb-1 font-medium">
            {t(`policy.groups.${group}`)}
          </legend>
          <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
            {names.map((name) => (
              <PolicyField
                key={name}
                name={name}
                value={draft[name] ?? null}
                settings={settings}
                problem={problemOf(name)}
                onChange={(value) => {
                  change(name, value)
                }}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {error && !atFields && <ErrorState error={error} onRetry={onReload} />}
      {atFields && (
        <p role="alert" className="text-danger text-sm">
          {t('policy.refused')}
        </p>
      )}
      <Button
        type="submit"
        className="justify-self-start"
        disabled={!mayChange || isPending || Object.keys(mistakes).length > 0}
      >
        {t('common:save')}
      </Button>
    </form>
  )
}
