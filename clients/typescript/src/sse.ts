/** One server-sent event. */
export interface ServerEvent {
  name: string
  data: string
  id: string | null
}

/** The events of a body, as the HTML standard reads them. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let event: ServerEvent = { name: 'message', data: '', id: null }
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line !== '') take(event, line)
        else {
          if (event.data !== '') yield { ...event, data: event.data.slice(0, -1) }
          event = { name: 'message', data: '', id: event.id }
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function take(event: ServerEvent, line: string): void {
  const at = line.indexOf(':')
  const field = at === -1 ? line : line.slice(0, at)
  const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '')
  if (field === 'data') event.data += `${value}\n`
  else if (field === 'event') event.name = value
  else if (field === 'id') event.id = value
}
