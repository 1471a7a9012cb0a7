// Fails when what the first page loads, its fonts, or the component for other pages, is more than its
// budget, gzipped.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUDGET = 230_000
// Of fonts, for all that the pages say themselves in Korean. They are compressed already.
const FONT_BUDGET = 120_000
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

const src = join(import.meta.dirname, '..', 'src')
const css = readFileSync(join(src, 'fonts', 'fonts.css'), 'utf8')
const faces = [...css.matchAll(/url\('.\/(.*?)'\).*?unicode-range: (.*?);/gs)]
  .map(([, file, ranges]) => ({ file, ranges: ranges.split(', ').map(codes) }))
  .reverse()

function codes(range) {
  const [first, last = first] = range.slice(2).split('-')
  return [parseInt(first, 16), parseInt(last, 16)]
}

/** The bytes of fonts that a browser fetches for the strings of some files. */
function fontBytes(files) {
  const letters = new Set(files.map((file) => readFileSync(join(src, file), 'utf8')).join(''))
  const faceOf = (code) =>
    faces.find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last))
  const needed = new Set([...letters].map((letter) => faceOf(letter.codePointAt(0))?.file))
  needed.delete(undefined)
  return [...needed].reduce((sum, file) => sum + statSync(join(src, 'fonts', file)).size, 0)
}

for (const language of ['en', 'ko']) {
  const strings = readdirSync(src, { recursive: true })
  const size = fontBytes(strings.filter((name) => name.endsWith(`/${language}.json`)))
  console.log(`${String(size).padStart(8)}  bytes of ${FONT_BUDGET} for fonts, ${language}`)
  if (size > FONT_BUDGET) {
    console.error('Strings have letters that are in no font of the pages: see scripts/fonts.py.')
    process.exit(1)
  }
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
