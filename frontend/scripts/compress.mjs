// Writes a .br and a .gz beside each text of the build, so that the server need not compress at
// each request (backend/app/api/pages.py). Brotli's highest levels save 6 % more for 2 s.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const MIN_BYTES = 1024
const TEXTS = /\.(css|html|js|svg)$/
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const dist = join(import.meta.dirname, '..', 'dist')
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.test(entry.name)) continue
  const path = join(entry.parentPath, entry.name)
  const text = readFileSync(path)
  if (text.length < MIN_BYTES) continue
  writeFileSync(`${path}.br`, brotliCompressSync(text, BROTLI))
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
}
