// Compiles src/ into dist/, with the types of the API that the pages use.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const here = import.meta.dirname
const pages = join(here, '..', '..', 'frontend')
const MAX_CORE_BYTES = 6 * 1024
const CORE = ['index', 'background', 'errors', 'sse', 'transport']

const types = join(pages, 'src', 'api', 'schema.d.ts')
copyFileSync(types, join(here, 'src', 'schema.d.ts'))
execFileSync(join(pages, 'node_modules', '.bin', 'tsc'), ['-p', here], { stdio: 'inherit' })
copyFileSync(types, join(here, 'dist', 'schema.d.ts'))
copyFileSync(join(here, '..', '..', 'LICENSE'), join(here, 'LICENSE'))

const core = CORE.map((name) => readFileSync(join(here, 'dist', `${name}.js`)))
const size = gzipSync(Buffer.concat(core), { level: 9 }).length
if (size > MAX_CORE_BYTES) {
  console.error(`the core has ${size} bytes compressed, of ${MAX_CORE_BYTES}`)
  process.exit(1)
}
