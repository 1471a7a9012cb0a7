import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button } from '@/components/ui'
import { ApiError } from '@/lib/problem'
import { toast } from '@/lib/toast'

import { useReadPolicyAgain, useSavePolicy, type Field, type Settings } from '../api/policy'
import { begin, rebased } from '../policyEditing'
import { draftOf, GROUPS, policyOf, type Written } from '../policyFields'
import { mistakesOf, refusalsOf } from '../policyMistakes'

import { ChangedMeanwhile } from './ChangedMeanwhile'
import { PolicyField } from './PolicyField'

interface Props {
  /** As the form begins. */
  settings: Settings
  mayChange: boolean
}

const groups = Object.entries(GROUPS) as [keyof typeof GROUPS, readonly Field[]][]

/** The workspace's policy; what is left empty is as the server's settings say. */
export function PolicyForm({ settings, mayChange }: Props) {
  const { t } = useTranslation(['settings', 'common'])
  const [editing, setEditing] = useState(() => begin(settings))
  const { base, draft, changed } = editing
  const readAgain = useReadPolicyAgain()
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
    setEditing((before) => ({ ...before, draft: { ...before.draft, [name]: value } }))
    reset()
  }
  function save() {
    mutate(
      { policy: policyOf(draft), version: base.version },
      {
        onSuccess: (saved) => {
          setEditing(begin(saved))
          toast(t('policy.saved'), 'success')
        },
        onError: (refusal) => {
          if (isStale(refusal)) void rebase()
        },
      },
    )
  }
  /** Reads what somebody else has saved; where that fails the error stays, to be tried again. */
  async function rebase() {
    const theirs = await readAgain().catch(() => null)
    if (!theirs) return
    setEditing((before) => rebased(before, theirs))
    reset()
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
                settings={base}
                problem={problemOf(name)}
                onChange={(value) => change(name, value)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {changed.length > 0 && (
        <ChangedMeanwhile
          editing={editing}
          onTake={(name) => change(name, draftOf(base.policy)[name] ?? null)}
        />
      )}
      {error && !atFields && <ErrorState error={error} onRetry={isStale(error) ? rebase : save} />}
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

/** Somebody else has saved since the policy was read. */
const isStale = (error: unknown) => error instanceof ApiError && error.status === 412
