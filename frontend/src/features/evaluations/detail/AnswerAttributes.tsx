import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { EvaluationView } from '@/lib/verdict'

import { ATTRIBUTES } from '../filters'

type Shown = (typeof ATTRIBUTES)[number]

const HASH = 'hmac:'

/** What the application said of the answer; each leads to all answers of which it said the same. */
export function AnswerAttributes({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const given = attributesOf(view)
  if (given.length === 0) return null
  return (
    <dl aria-label={t('attributes.title')} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {given.map(([name, label, value]) => (
        <div key={`${name} ${value}`} className="flex max-w-full min-w-0 gap-1">
          <dt className="text-muted-foreground shrink-0">{label ?? t(`filters.${name}`)}:</dt>
          <dd
            className="min-w-0 truncate"
            title={value.startsWith(HASH) ? t('attributes.hashed') : value}
          >
            <Link
              to={`/evaluations?${new URLSearchParams({ [name]: label ? `${label}=${value}` : value })}`}
              className="underline"
            >
              {value.startsWith(HASH) ? `${value.slice(0, HASH.length + 8)}…` : value}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** By filter, the key where it is the application's own, and the value. */
function attributesOf(view: EvaluationView): [Shown, string | null, string][] {
  const known = (['app_version', 'environment', 'user_ref', 'session_id'] as const).flatMap(
    (name): [Shown, null, string][] => (view[name] === null ? [] : [[name, null, view[name]]]),
  )
  const tags = view.tags.map((tag): [Shown, null, string] => ['tag', null, tag])
  const own = Object.entries(view.attributes).map(([key, value]): [Shown, string, string] => [
    'attribute',
    key,
    String(value),
  ])
  return [...known, ...tags, ...own]
}
