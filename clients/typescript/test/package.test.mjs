// What is published: the packed files, as Node and TypeScript resolve them elsewhere.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGES = join(ROOT, '..', '..', 'frontend', 'node_modules')
const MAX_BYTES = 100_000
const MODULES = ['.', './ai-sdk', './langchain', './openai', './react']
// The client in a context that has what is in EDGE alone, as edge runtimes do; Deno and browsers have
// more.
const EDGE = `
  import { readFileSync } from 'node:fs'
  import { join } from 'node:path'
  import vm from 'node:vm'

  const dist = 'node_modules/@searchqa/client/dist'
  const { AbortController, AbortSignal, Headers, ReadableStream, Response, TextDecoder } = globalThis
  const { URLSearchParams, clearTimeout, crypto, setTimeout } = globalThis
  const sent = []
  const fetch = async (url, { body }) => (sent.push(JSON.parse(body).answer), Response.json({}))
  const context = vm.createContext({
    ...{ AbortController, AbortSignal, Headers, ReadableStream, Response, TextDecoder },
    ...{ URLSearchParams, clearTimeout, crypto, setTimeout, fetch },
  })
  const modules = {}
  const load = (name) => (modules[name] ??= new vm.SourceTextModule(
    name.endsWith('.js') ? readFileSync(join(dist, name), 'utf-8') : name,
    { context },
  ))
  const main = load(\`
    import { Background, SearchQA } from './index.js'
    import { judgeOnFinish } from './ai-sdk.js'
    import { judgeRuns } from './langchain.js'
    import { judged } from './openai.js'
    const background = new Background(new SearchQA())
    const question = 'q'
    judgeOnFinish(background, { question })({ text: '1' })
    const runs = judgeRuns(background)
    runs.handleChainStart({}, { question, context: [{ pageContent: 'n' }] }, 'r')
    runs.handleChainEnd({ answer: '2' }, 'r')
    const client = { withOptions: () => client, chat: { completions: {} }, responses: {} }
    const output = [{ role: 'assistant', content: '3' }]
    const reply = { parseResponse: async () => ({ status: 'completed', output }) }
    client.chat.completions.create = client.responses.create = () => reply
    await judged(client, background, { question }).responses.create().parseResponse()
    export const flushed = await background.close()
  \`)
  await main.link(load)
  await main.evaluate()
  if (!main.namespace.flushed || sent.join() !== '1,2,3') throw new Error('sent: ' + sent.join())
`

const folder = mkdtempSync(join(tmpdir(), 'searchqa-client-'))
after(() => rmSync(folder, { recursive: true }))
const { names, size } = install()

/** Puts the packed client into the folder, and what its types are compiled with. */
function install() {
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [{ filename, files, size }] = JSON.parse(packed)
  const there = join(folder, 'node_modules', '@searchqa', 'client')
  mkdirSync(there, { recursive: true })
  execFileSync('tar', ['xzf', join(folder, filename), '-C', there, '--strip-components', '1'])
  for (const [from, name] of [
    ...['@langchain', 'ai', 'openai'].map((name) => [join(ROOT, 'node_modules'), name]),
    ...['react', '@types'].map((name) => [PAGES, name]),
  ]) {
    symlinkSync(join(from, name), join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  return { names: files.map(({ path }) => path).sort(), size }
}

test('the package has its modules, types and licence, and no more', () => {
  const modules = readdirSync(join(ROOT, 'src')).map((file) => file.replace(/(\.d)?\.ts$/, ''))
  const built = modules.flatMap((name) => [
    `dist/${name}.d.ts`,
    ...(name === 'schema' ? [] : [`dist/${name}.js`]),
  ])
  assert.deepEqual(names, ['LICENSE', 'README.md', 'package.json', ...built].sort())
  assert.ok(size < MAX_BYTES, `${size} bytes`)

  const there = MODULES.map((name) => `await import('@searchqa/client${name.slice(1)}')`)
  execFileSync(process.execPath, ['--input-type=module', '-e', there.join('\n')], { cwd: folder })
})

test('the package needs fetch and web standards alone', () => {
  const run = ['--experimental-vm-modules', '--no-warnings', '--input-type=module', '-e', EDGE]
  execFileSync(process.execPath, run, { cwd: folder })
})

test('its types fit those of the libraries', () => {
  copyFileSync(join(ROOT, 'test', 'consumer.ts'), join(folder, 'consumer.ts'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022']
  const resolved = ['--module', 'nodenext', '--types', 'react', 'consumer.ts']
  try {
    execFileSync(join(PAGES, '.bin', 'tsc'), [...options, ...resolved], { cwd: folder })
  } catch (error) {
    assert.fail(String(error.stdout))
  }
})
