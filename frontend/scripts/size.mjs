// Fails when what the first page loads is more than the budget, gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUDGET = 250_000
const FIRST_PAGE = ['index.html', 'src/features/chat/WorkbenchPage.tsx']

const dist = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
const files = new Set()

function visit(name) {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`dist/.vite/manifest.json does not know ${name}`)
  if (files.has(chunk.file)) return
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
  chunk.imports?.forEach(visit)
}

FIRST_PAGE.forEach(visit)
let total = 0
for (const file of files) {
  const size = gzipSync(readFileSync(join(dist, file))).length
  total += size
  console.log(`${String(size).padStart(8)}  ${file}`)
}
console.log(`${String(total).padStart(8)}  bytes of ${BUDGET} for the first page, gzipped`)
if (total > BUDGET) {
  console.error('The first page is too large; load what it does not need at once by import().')
  process.exit(1)
}
