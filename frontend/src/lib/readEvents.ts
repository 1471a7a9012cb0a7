import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface SseEvent {
  /** `message` when the server names none. */
  event: string
  data: string
  id: string | null
}

export interface Reading {
  /** Told the milliseconds of a `retry:` line. */
  onRetry?: (milliseconds: number) => void
}

/** The events of a body, however the network cuts it. Cancels the body when the reader leaves. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { onRetry }: Reading = {},
): AsyncGenerator<SseEvent, void, undefined> {
  const ready: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => ready.push(event), onRetry })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let ended = false
  let last = ''
  try {
    while (!ended) {
      const { done, value } = await reader.read()
      ended = done
      let text = decoder.decode(value, { stream: !done })
      last = text.at(-1) ?? last
      // The parser keeps a CR back, because an LF may follow; at the end none will.
      if (done && last === '\r') text += '\n'
      parser.feed(text)
      for (const { event = 'message', data, id = null } of ready.splice(0))
        yield { event, data, id }
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined)
  }
}
