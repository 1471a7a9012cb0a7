// Writes src/api/schema.d.ts and src/api/policy.json, the fields of the evaluation policy, from the
// API's code; with --check it only compares.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import openapiTS, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'frontend', 'src', 'api')
const own = join(root, '.venv', 'bin', 'python')
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3')

const print = 'import json, app.api.app as api; print(json.dumps(api.create_app().openapi()))'
const document = execFileSync(python, ['-c', print], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  env: { ...process.env, PYTHONPATH: [join(root, 'backend'), root].join(delimiter) },
})
const types =
  '// Made from the code of the API by `make api-types`; not to be edited.\n\n' +
  astToString(await openapiTS(document, { defaultNonNullable: false }))

const { properties } = JSON.parse(document).components.schemas.WorkspacePolicy
const policy = Object.fromEntries(
  Object.entries(properties).map(([name, { anyOf }]) => [
    name,
    anyOf.find(({ type }) => type !== 'null'),
  ]),
)

const files = { 'schema.d.ts': types, 'policy.json': `${JSON.stringify(policy, null, 2)}\n` }
for (const [name, text] of Object.entries(files)) {
  const target = join(folder, name)
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text)
  } else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`src/api/${name} does not fit the API any more; run: make api-types`)
    process.exit(1)
  }
}
