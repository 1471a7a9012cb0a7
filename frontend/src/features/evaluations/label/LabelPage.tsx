import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useStore } from 'zustand'

import { PageHeader } from '@/components/page'
import { Input } from '@/components/ui'
import { invalidate } from '@/hooks/useChange'
import { LABEL_PATHS } from '@/hooks/useFeedback'
import { useUrlFilters } from '@/hooks/useUrlFilters'
import { personName } from '@/lib/names'

import { labelServer, type Wanted } from '../api/reservations'

import { LabelView } from './LabelView'
import { LabelSession } from './labelSession'
import { type LabelSettings, useLabelSettings } from './useLabelSettings'

// The server keeps an answer for ten minutes.
export const RENEW_MS = 4 * 60_000

/** Those on the page, and those left with labels that could not be stored, which outlive it. */
const sessions = new Map<string, LabelSession>()

window.addEventListener('beforeunload', (event) => {
  if ([...sessions.values()].some(({ unsaved }) => unsaved)) event.preventDefault()
})

const ignore = () => undefined

/** The labelling of this source under this name, while the page shows it. */
export function useLabelSession(wanted: Wanted) {
  const client = useQueryClient()
  const key = JSON.stringify(wanted)
  const session = useMemo(() => {
    const left = sessions.get(key)
    return left?.unsaved ? left : new LabelSession(labelServer(JSON.parse(key) as Wanted))
  }, [key])
  useEffect(() => {
    sessions.set(key, session)
    void session.load(true)
    const timer = setInterval(() => void session.renew().catch(ignore), RENEW_MS)
    const leave = () => {
      session.saveAll()
      session.close().catch(ignore)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      leave()
      if (!session.unsaved) sessions.delete(key)
      void session.settled().then(() => invalidate(client, LABEL_PATHS))
    }
  }, [client, key, session])
  return { session, snapshot: useStore(session.store) }
}

const NONE: readonly string[] = []

/** The evaluations that were chosen in the list, as long as this page is open; a link does not have
 * them. */
function useChosen(): readonly string[] {
  const { state } = useLocation() as { state: { evaluationIds?: string[] } | null }
  const [chosen] = useState(state?.evaluationIds ?? NONE)
  return chosen
}

function sourceOf(named: string | null, chosen: readonly string[]): Wanted['source'] {
  if (named === 'chosen' && chosen.length > 0) return named
  return named === 'doubtful' ? named : 'drawn'
}

/** One answer after another to label, by keys or buttons. */
export function LabelPage() {
  const { t } = useTranslation('evaluations')
  const { params, setFilters } = useUrlFilters()
  const { settings, change } = useLabelSettings()
  const chosen = useChosen()
  const source = sourceOf(params.get('source'), chosen)
  // Of chosen answers nothing but one's own label keeps one from being shown.
  const again = source !== 'chosen' && params.has('again')
  const { session, snapshot } = useLabelSession({
    source,
    chosen: source === 'chosen' ? chosen : NONE,
    again,
    author: settings.author,
  })
  return (
    <>
      <PageHeader title={t('label.title')} />
      <LabelOptions
        source={source}
        chosen={chosen.length}
        again={again}
        onSource={(next) => setFilters({ source: next === 'drawn' ? undefined : next })}
        onAgain={(next) => setFilters({ again: next ? 'yes' : undefined })}
        author={snapshot.author}
        settings={settings}
        onChange={change}
      />
      <LabelView
        session={session}
        snapshot={snapshot}
        source={source}
        again={again}
        hidden={settings.hidden}
        keys={settings.keys}
      />
    </>
  )
}

const SOURCES = ['drawn', 'doubtful', 'chosen'] as const

interface Props {
  source: Wanted['source']
  /** How many were chosen in the list. */
  chosen: number
  again: boolean
  onSource: (source: Wanted['source']) => void
  onAgain: (again: boolean) => void
  /** Under which name labels are stored, once the server has said so. */
  author: string | null
  settings: LabelSettings
  onChange: (changes: Partial<LabelSettings>) => void
}

/** Which answers come, and how they are shown. */
function LabelOptions({ source, chosen, again, onSource, onAgain, ...rest }: Props) {
  const { t } = useTranslation('evaluations')
  const { author, settings, onChange } = rest
  return (
    <div className="mb-4 grid gap-3 text-sm">
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">{t('label.source.legend')}</legend>
        {SOURCES.filter((each) => each !== 'chosen' || chosen > 0).map((each) => (
          <Option
            key={each}
            type="radio"
            name="source"
            text={t(`label.source.${each}`, { count: chosen })}
            hint={t(`label.source.${each}Hint`)}
            checked={source === each}
            onChange={() => onSource(each)}
          />
        ))}
      </fieldset>
      <details className="border-border rounded-md border px-3 py-2">
        <summary className="font-medium">
          {t('label.options')}
          {author !== null && (
            <span className="text-muted-foreground font-normal">
              {' · '}
              {t('label.labelsAs', { author: personName(author) })}
              {again && ` · ${t('label.second')}`}
            </span>
          )}
        </summary>
        <div className="mt-3 grid gap-3 lg:grid-cols-2">
          <Option
            text={t('label.hide')}
            hint={t('label.hideHint')}
            checked={settings.hidden}
            onChange={(hidden) => onChange({ hidden })}
          />
          {source !== 'chosen' && (
            <Option
              text={t('label.again')}
              hint={t('label.againHint')}
              checked={again}
              onChange={onAgain}
            />
          )}
          <Option
            text={t('label.keys')}
            hint={t('label.keysHint')}
            checked={settings.keys}
            onChange={(keys) => onChange({ keys })}
          />
          <Input
            label={t('label.author')}
            hint={t('label.authorHint')}
            maxLength={200}
            defaultValue={settings.author}
            onBlur={({ target }) => onChange({ author: target.value.trim() })}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') currentTarget.blur()
            }}
          />
        </div>
      </details>
    </div>
  )
}

interface OptionProps {
  type?: 'checkbox' | 'radio'
  name?: string
  text: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Option({ type = 'checkbox', text, hint, onChange, ...rest }: OptionProps) {
  return (
    <label className="flex items-start gap-2">
      <input
        type={type}
        className="mt-0.5 size-4 shrink-0"
        {...rest}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        <span className="font-medium">{text}</span>
        <span className="text-muted-foreground block">{hint}</span>
      </span>
    </label>
  )
}
