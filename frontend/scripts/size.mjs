// Fails when what the first page loads, or the component for other pages, is more than its budget,
// gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUDGET = 250_000
const EMBED_BUDGET = 12_000
const FIRST_PAGE = ['index.html', 'src/features/chat/WorkbenchPage.tsx']

const dist = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
const files = new Set(['theme.js'])

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

const embed = gzipSync(readFileSync(join(dist, 'searchqa-verdict.js'))).length
console.log(
  `${String(embed).padStart(8)}  bytes of ${EMBED_BUDGET} for searchqa-verdict.js, gzipped`,
)
if (embed > EMBED_BUDGET) {
  console.error(
    'The component for other pages is too large; see what vite.embed.config.ts bundles.',
  )
  process.exit(1)
}
