import { createServer } from 'node:http'

/** A server that answers by `replies` in turn, each `[status, body, headers]` or a function. */
export async function served(t, ...replies) {
  const requests = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    requests.push({
      ...request,
      url: request.url,
      method: request.method,
      headers: request.headers,
      body,
    })
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    if (typeof reply === 'function') return reply(response)
    const [status, json, headers = {}] = reply
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(json))
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => (server.closeAllConnections(), server.close()))
  return { url: `http://127.0.0.1:${server.address().port}`, requests }
}
