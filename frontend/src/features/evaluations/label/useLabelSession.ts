import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { invalidate } from '@/hooks/useChange'
import { LABEL_PATHS } from '@/hooks/useFeedback'

import { labelServer, type Wanted } from '../api/reservations'

import { LabelSession } from './labelSession'

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
      session.store()
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
  return { session, snapshot: useSyncExternalStore(session.subscribe, session.get) }
}
