import type { Schema } from '@/lib/api'
import { apiError } from '@/lib/problem'
import { setSignedOut } from '@/lib/session'

// What the API takes, less room for what surrounds the file in its request.
export const MAX_FILE_BYTES = 64 * 1024 * 1024 - 4096
export const FILE_ENDINGS = ['.nsx', '.md', '.markdown', '.jsonl', '.ndjson']

interface Options {
  notebook: string
  /** Told how much of the file is sent, 0 to 1. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** Sends one file of notes. `fetch` cannot tell how much is sent, so this is an XMLHttpRequest.
 * Throws what `data()` throws. */
export function importFile(file: File, { notebook, onProgress, signal }: Options) {
  return new Promise<Schema<'ImportRead'>>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/notes/import/file')
    request.responseType = 'json'
    request.setRequestHeader('Accept-Language', document.documentElement.lang)
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    }
    request.onload = () => {
      const body: unknown = request.response
      if (request.status < 300) {
        resolve(body as Schema<'ImportRead'>)
        return
      }
      if (request.status === 401) setSignedOut(true)
      const { status, statusText } = request
      reject(apiError(new Response(null, { status, statusText }), body))
    }
    request.onerror = () => reject(new TypeError('the server cannot be reached'))
    request.onabort = () => reject(new DOMException('the page was left', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file, file.name)
    form.append('notebook', notebook)
    request.send(form)
  })
}
