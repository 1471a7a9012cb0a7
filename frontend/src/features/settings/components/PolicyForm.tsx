import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Form } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { ApiError } from '@/lib/problem'
import { toast } from '@/lib/toast'

import {
  type Field,
  type Policy,
  type Settings,
  useReadPolicyAgain,
  useSavePolicy,
} from '../api/policy'
import { type Draft, draftOf, GROUPS, policyOf, type Written } from '../policyFields'
import { mistakesOf, refusalsOf } from '../policyMistakes'
import { useShown } from '../useShown'

import { PolicyField } from './PolicyField'

/** A policy under the writer's hands. */
interface Editing {
  /** As it was read last; saving replaces this version. */
  base: Settings
  draft: Draft
  /** Fields that somebody else has changed since the writer began. */
  changed: readonly Field[]
}

const begin = (settings: Settings): Editing => ({
  base: settings,
  draft: draftOf(settings.policy),
  changed: [],
})

/** The same edits on what somebody else has saved meanwhile: fields that the writer left alone
 * become theirs, the others stay as written. */
function rebased({ base, draft, changed }: Editing, theirs: Settings): Editing {
  const before = draftOf(base.policy)
  const after = draftOf(theirs.policy)
  const names = Object.keys(after) as Field[]
  const kept = names.filter((name) => !same(draft[name], before[name]))
  return {
    base: theirs,
    draft: { ...after, ...Object.fromEntries(kept.map((name) => [name, draft[name] ?? null])) },
    changed: names.filter((name) => changed.includes(name) || !same(before[name], after[name])),
  }
}

/** Whether two say the same; those of several values in any order. */
function same(one: Written | undefined, other: Written | undefined): boolean {
  return plain(one) === plain(other)
}

const plain = (value: Written | undefined) =>
  typeof value === 'string' ? value.trim() : JSON.stringify(value && [...value].sort())

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
    <Form
      noValidate
      className="grid gap-6"
      onSubmit={() => {
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
    </Form>
  )
}

/** Somebody else has saved since the policy was read. */
const isStale = (error: unknown) => error instanceof ApiError && error.status === 412

interface ChangedMeanwhileProps {
  editing: Editing
  onTake: (name: Field) => void
}

/** What somebody else has saved while this policy was being written, beside what is written. */
function ChangedMeanwhile({ editing: { base, draft, changed }, onTake }: ChangedMeanwhileProps) {
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
