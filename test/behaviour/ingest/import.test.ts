// `logeye-sdk -api import`: what a search finds afterwards, also when the client was killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
} from '../../support/clients/product-client.ts'
import { runSdkClient } from '../../support/clients/run-sdk-client.ts'

const CLIENT = join(import.meta.dirname, '../../../dist/query/sdk/client/main.js')
const TEST_MS = 120_000

let directory: string
let token: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-import-'))
  token = String((await sdk('addListener', { name: makeWord('import ') })).token)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const words = (file: string) => [
  '-productURL',
  `${productUrl()}/logeye`,
  '-api',
  'import',
  '-file',
  file,
]
const run = (file: string, ...more: string[]) =>
  runSdkClient([...words(file), '-listenerToken', token, ...more])

function makeFile(name: string, content: string | Buffer): string {
  const file = join(directory, name)
  writeFileSync(file, content)
  return file
}

it('shows first what the events would become, and stores nothing without yes', async () => {
  const word = makeWord('dry')
  const file = makeFile('dry.json', `{"message":"${word}","size":7}\n`)
  for (const more of [['-dryRun'], []]) {
    const { code, err } = await run(file, ...more)
    expect(code).toBe(more.length > 0 ? 0 : 1)
    expect(err).toMatch(/the first 1 events:\n {2}1 into Events->/)
    expect(err).toMatch(/size = 7\n/)
  }
  expect((await search({ searchQuery: word })).numberOfResults).toBe(0)
})

it('takes lines and JSON in, plain and by gzip, and tells rejected events', async () => {
  const word = makeWord('in')
  const lines = makeFile('lines.log', `${word} one\n\n${word} two`)
  expect(await run(lines, '-yes', '-hostName', 'web-7')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^accepted: 2\nrejected: 0\n/),
  })
  const json = `{"message":"${word} three","n":3}\n{"message":\n{"message":"${word} four"}\n`
  const zipped = makeFile('json.gz', gzipSync(json))
  const ended = await run(zipped, '-yes', '-output', 'json')
  expect([ended.code, JSON.parse(ended.out)]).toEqual([
    0,
    { accepted: 2, rejected: 1, seconds: expect.any(Number) },
  ])
  expect(ended.err).toContain('event 2: ')
  const { rows } = await searchUntil(4, { searchQuery: word })
  expect(
    rows.map(({ host, n }) => `${host} ${n ?? ''}`).filter((it) => /web-7|3/.test(it)),
  ).toEqual(expect.arrayContaining(['web-7 ', 'web-7 ']))
})

it(
  'stores each event once when the client is killed again and again',
  async () => {
    const word = makeWord('kill')
    const count = 60_000
    const text = Array.from({ length: count }, (_, at) => `${word} ${at} ${'y'.repeat(120)}`)
    const file = makeFile('killed.log', `${text.join('\n')}\n`)
    let kills = 0
    for (let waitMs = 250; kills < 12; waitMs += 70) {
      const child = spawn(process.execPath, [
        CLIENT,
        ...words(file),
        '-listenerToken',
        token,
        '-yes',
      ])
      const ended = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), waitMs)
      const [code] = await ended
      clearTimeout(timer)
      if (code === 0) break
      kills += 1
    }
    expect(kills).toBeGreaterThan(0)
    expect((await run(file, '-yes')).out).toContain(`accepted: ${count}\n`)
    await searchUntil(1, { searchQuery: `${word} ${count - 1}` })
    const { rows } = await searchUntil(1, {
      searchQuery: `${word} | count, count distinct message`,
    })
    expect(rows[0]).toEqual({ count: String(count), 'distinct count message': String(count) })
  },
  TEST_MS,
)

it('goes on only with the same file, account and product, and not after a day', async () => {
  const word = makeWord('same')
  const file = makeFile('same.log', `${word} one\n`)
  expect((await run(file, '-yes')).code).toBe(0)
  expect(await run(file, '-yes')).toMatchObject({
    code: 0,
    err: 'it was imported to its end before; what was added since follows\n',
  })
  const state = join(directory, 'same.log.logeye-import')
  const kept = JSON.parse(readFileSync(state, 'utf8'))
  expect(JSON.stringify(kept)).not.toContain(token)
  const changed: readonly (readonly [object, RegExp])[] = [
    [{ account: 'ab' }, /another account or product/],
    [{ beginsWith: { bytes: 3, sha256: 'ab' } }, /another file/],
    [{ sent: { bytes: 4, sinceMs: 17 } }, /more than a day ago/],
    [{ done: 'x' }, /cannot be read/],
  ]
  for (const [change, reason] of changed) {
    writeFileSync(state, JSON.stringify({ ...kept, ...change }))
    const { code, err } = await run(file, '-yes')
    expect([code, err]).toEqual([2, expect.stringMatching(reason)])
    expect(err).toContain('-again')
  }
  expect((await run(file, '-yes', '-again')).out).toContain('accepted: 1\n')
  await searchUntil(2, { searchQuery: word })
})

it.each([
  ['missing', undefined, 2, /cannot be read/],
  ['empty', '', 2, /is empty/],
  ['array.json', '[{"message":"a"}]', 2, /JSON array/],
  ['utf16.log', Buffer.from('\ufeffab', 'utf16le'), 2, /UTF-16/],
  ['cut.gz', gzipSync('a line\n'.repeat(9)).subarray(0, 12), 2, /damaged/],
] as const)('refuses a file that is %s', async (name, content, status, reason) => {
  const file = content === undefined ? join(directory, name) : makeFile(name, content)
  const { code, err } = await run(file, '-yes')
  expect([code, err]).toEqual([status, expect.stringMatching(reason)])
})

it('refuses a token that is none, and says when nothing answers', async () => {
  const file = makeFile('refused.log', 'a line\n')
  expect(await runSdkClient([...words(file), '-listenerToken', 'none', '-yes'])).toMatchObject({
    code: 1,
  })
  const nowhere = ['-productURL', 'http://127.0.0.1:9/logeye', '-api', 'import', '-file', file]
  expect(await runSdkClient([...nowhere, '-listenerToken', token, '-yes'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('nothing answers'),
  })
})
