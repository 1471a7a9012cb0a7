import type { SseEvent } from './readEvents'
import { subscribe } from './sse'

// Browsers open six connections to a server, for all tabs together.
const STREAM = 'searchqa-stream'

/** Whether a tab may open the one stream that all tabs have for what can also be polled. It holds it
 * until `signal` aborts. Without locks, as on a page that is not secure, each tab may. */
export function takeStream(signal: AbortSignal): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true)
  return new Promise((resolve) => {
    void navigator.locks.request(STREAM, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock && !signal.aborted && ended(signal)
    })
  })
}

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Follows a stream that many tabs follow by one connection: one tab reads it and passes each event
 * on to the others, the next when it is closed. Ends with the signal; throws as `subscribe`. */
export async function followShared(
  url: string,
  signal: AbortSignal,
  onEvent: (event: SseEvent) => void,
): Promise<void> {
  const channel = new BroadcastChannel(url)
  let lastEventId: string | null = null
  const take = (event: SseEvent) => {
    lastEventId = event.id ?? lastEventId
    onEvent(event)
  }
  const read = async () => {
    // From where the tab before has come to.
    for await (const event of subscribe(url, { signal, lastEventId })) {
      channel.postMessage(event)
      take(event)
    }
  }
  channel.onmessage = ({ data }: MessageEvent<SseEvent>) => take(data)
  try {
    await ('locks' in navigator ? navigator.locks.request(url, { signal }, read) : read())
  } finally {
    channel.close()
  }
}
