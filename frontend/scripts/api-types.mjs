// Writes src/api/schema.d.ts from the API's code; with --check it only compares.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import openapiTS, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '..', '..')
const target = join(root, 'frontend', 'src', 'api', 'schema.d.ts')
const own = join(root, '.venv', 'bin', 'python')
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3')

const document = execFileSync(python, ['-m', 'app.api.document'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  env: { ...process.env, PYTHONPATH: [join(root, 'backend'), root].join(delimiter) },
})
const types =
  '// Made from the code of the API by `make api-types`; not to be edited.\n\n' +
  astToString(await openapiTS(document, { defaultNonNullable: false }))

if (!process.argv.includes('--check')) {
  writeFileSync(target, types)
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== types) {
  console.error('src/api/schema.d.ts does not fit the API any more; run: make api-types')
  process.exit(1)
}
