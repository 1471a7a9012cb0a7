import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { invalidate } from '@/hooks/useChange'
import { followShared } from '@/lib/sharedEvents'

import type { ListQuery } from '../filters'

import { fetchPage, listQuery, type EvaluationRow, type Pages } from './list'

// A run over a dataset changes hundreds of verdicts a second; the list is looked at once for all.
const GATHERED_MS = 500
/** Of new verdicts no more are counted: a tab may stay open for days. */
export const MAX_ADDED = 100

interface ChangedVerdict {
  id: string
  answer_id: string
}

interface News {
  /** Rows that changed since they were first shown. */
  changed: ReadonlySet<string>
  /** Verdicts that would stand in the list. */
  added: ReadonlySet<string>
}

interface Found extends News {
  /** Rows that the list has by now. */
  listed: ReadonlySet<string>
}

const NONE: News = { changed: new Set(), added: new Set() }

/** Keeps the rows of a list as they are now. What would be a new row is only counted, so that
 * nothing moves under the reader's eyes; `show` lets them in. */
export function useLiveEvaluations(query: ListQuery) {
  const client = useQueryClient()
  const key = JSON.stringify(query)
  const [news, setNews] = useState<News & { key: string }>({ ...NONE, key })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const asked = JSON.parse(key) as ListQuery
    void follow(client, asked, signal, (found) =>
      setNews((before) => {
        const { changed, added } = before.key === key ? before : NONE
        const isListed = (id: string) => found.listed.has(id)
        const fresh = [...added, ...found.added].filter((id) => !isListed(id))
        return {
          key,
          changed: new Set([...changed, ...found.changed].filter(isListed)),
          added: new Set(fresh.slice(0, MAX_ADDED)),
        }
      }),
    )
    return () => controller.abort()
  }, [client, key])
  const show = async () => {
    setNews({ ...NONE, key })
    await client.invalidateQueries({ queryKey: listQuery(query).queryKey })
    await invalidate(client, ['/qa-evaluations/ids'])
  }
  return { ...(news.key === key ? news : NONE), show }
}

async function follow(
  client: QueryClient,
  query: ListQuery,
  signal: AbortSignal,
  onNews: (news: Found) => void,
) {
  const { queryKey } = listQuery(query)
  const waiting = new Map<string, ChangedVerdict>()
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  const look = () => {
    timer = undefined
    const changes = [...waiting.values()]
    waiting.clear()
    // What cannot be read now comes with the next event, or when the list is read again.
    void update(client, query, changes, signal).then(onNews, () => undefined)
  }
  try {
    await followShared('/qa-evaluations/events', signal, ({ event, data }) => {
      if (event !== 'evaluation') return
      const change = JSON.parse(data) as ChangedVerdict
      // Timers of a tab in the background may be a minute late.
      if (rowsOf(client.getQueryData(queryKey)).has(change.id)) waiting.set(change.id, change)
      timer ??= setTimeout(look, GATHERED_MS)
    })
  } catch {
    // Without events the list is as it was read, like any page.
  }
}

/** Reads what has changed: the first page, where new rows stand, and rows further down. */
async function update(
  client: QueryClient,
  query: ListQuery,
  changes: readonly ChangedVerdict[],
  signal: AbortSignal,
): Promise<Found> {
  const { queryKey } = listQuery(query)
  const known = rowsOf(client.getQueryData(queryKey))
  const first = await fetchPage(query, signal)
  const seen = new Set(first.items.map(({ id }) => id))
  const further = changes.filter(({ id }) => known.has(id) && !seen.has(id))
  const pages = await Promise.all(further.map(({ answer_id }) => fetchPage({ answer_id }, signal)))
  const fresh = new Map([first, ...pages].flatMap(({ items }) => items.map((row) => [row.id, row])))
  client.setQueryData(queryKey, (shown) => shown && replaced(shown, fresh))
  return {
    listed: new Set(known.keys()),
    changed: new Set(
      [...fresh.values()].filter((row) => differs(known.get(row.id), row)).map(idOf),
    ),
    added: new Set(first.items.map(idOf).filter((id) => !known.has(id))),
  }
}

const idOf = ({ id }: EvaluationRow) => id

function rowsOf(pages: Pick<Pages, 'pages'> | undefined): Map<string, EvaluationRow> {
  return new Map(pages?.pages.flatMap(({ items }) => items.map((row) => [row.id, row])))
}

function differs(before: EvaluationRow | undefined, now: EvaluationRow): boolean {
  return before !== undefined && JSON.stringify(before) !== JSON.stringify(now)
}

function replaced(shown: Pages, fresh: ReadonlyMap<string, EvaluationRow>): Pages {
  const pages = shown.pages.map((page) => ({
    ...page,
    items: page.items.map((row) => fresh.get(row.id) ?? row),
  }))
  return { ...shown, pages }
}
