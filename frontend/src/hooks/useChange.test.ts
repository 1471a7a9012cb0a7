import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'

import { invalidate } from './useChange'

it('reads again what was being read for the first time when it changed', async () => {
  const client = new QueryClient()
  const replies: ((notes: string[]) => void)[] = []
  const queryFn = () => new Promise<string[]>((resolve) => replies.push(resolve))
  const notes = new QueryObserver(client, { queryKey: ['get', '/notes'], queryFn })
  const unsubscribe = notes.subscribe(() => undefined)
  expect(replies).toHaveLength(1)

  const read = invalidate(client, ['/notes*'])
  replies[0]?.([])
  await expect.poll(() => replies.length).toBe(2)
  replies[1]?.(['the new one'])
  await read

  expect(notes.getCurrentResult().data).toEqual(['the new one'])
  unsubscribe()
})
