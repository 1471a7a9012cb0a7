import { HttpResponse } from 'msw'

/** A response of events that a test writes while it is read. */
export function liveStream() {
  const encoder = new TextEncoder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  // Whoever stops reading ends the writing too.
  const settled = (done: Promise<unknown>) => void done.catch(() => undefined)
  return {
    response: new HttpResponse(readable, { headers: { 'Content-Type': 'text/event-stream' } }),
    send: (event: string | null, data: unknown, id?: string) => {
      const lines = [
        ...(event === null ? [] : [`event: ${event}`]),
        `data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
        ...(id === undefined ? [] : [`id: ${id}`]),
      ]
      settled(writer.write(encoder.encode(`${lines.join('\n')}\n\n`)))
    },
    end: () => {
      settled(writer.close())
    },
    breakOff: () => {
      settled(writer.abort(new Error('the connection was lost')))
    },
  }
}
