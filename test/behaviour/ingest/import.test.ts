// `logeye-sdk -api import`: what a search finds afterwards, also when the client was killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

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
    const state = `${file}.logeye-import`
    const read = () => (existsSync(state) ? readFileSync(state, 'utf8') : '')
    let kills = 0
    for (; kills < series(4, 12); kills += 1) {
      const child = spawn(process.execPath, [
        CLIENT,
        ...words(file),
        '-listenerToken',
        token,
        '-yes',
      ])
      const ended = once(child, 'exit')
      // It writes its state before it sends a chunk and when the chunk is answered.
      for (let writes = 0; writes <= kills % 3; writes += 1) {
        const before = read()
        await waitUntil('the client writes its state', () => {
          return child.exitCode !== null || read() !== before
        })
      }
      child.kill('SIGKILL')
      const [code] = await ended
      if (code === 0) break
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

it('counts the day in which a repeat is known from when a chunk was first sent', async () => {
  const file = makeFile('first.log', `${makeWord('first')} one\n`)
  expect((await run(file, '-yes')).code).toBe(0)
  const state = `${file}.logeye-import`
  const kept = JSON.parse(readFileSync(state, 'utf8'))
  const nowhere = 'http://127.0.0.1:9'
  const elsewhere = kept.productUrl.replace(productUrl(), nowhere)
  const sent = { bytes: 4, sinceMs: Date.now() - 22 * 3_600_000 }
  writeFileSync(
    state,
    JSON.stringify({ ...kept, productUrl: elsewhere, done: 0, isWhole: false, sent }),
  )
  const given = ['-productURL', `${nowhere}/logeye`, ...words(file).slice(2)]
  const written = statSync(state).ino
  const child = spawn(process.execPath, [CLIENT, ...given, '-listenerToken', token, '-yes'])
  const ended = once(child, 'exit')
  await waitUntil('the client writes its state', () => statSync(state).ino !== written)
  child.kill('SIGKILL')
  await ended
  expect(JSON.parse(readFileSync(state, 'utf8')).sent.sinceMs).toBe(sent.sinceMs)
}, 60_000)

it('takes odd files in: line ends of both kinds or none, NUL, bytes of no character, gzip', async () => {
  const word = makeWord('odd')
  const odd = Buffer.concat([
    Buffer.from(`\ufeff${word} bom\r\n\r\n${word} nul\0nul\n${word} bytes `),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from(`\n${word} \u0001\u001b[31m\r\n${word} last`),
  ])
  expect((await run(makeFile('odd.log', odd), '-yes')).out).toContain('accepted: 5\n')
  // Two members, as `cat` of two compressed files makes it.
  const members = Buffer.concat([gzipSync(`${word} one\n`), gzipSync(`${word} two`)])
  expect((await run(makeFile('odd.gz', members), '-yes')).out).toContain('accepted: 2\n')
  const { rows } = await searchUntil(7, { searchQuery: `${word} | display only message` })
  const messages = rows.map(({ message }) => message?.replace(`${word} `, '')).sort()
  expect(messages.filter((it) => /^(last|one|two|nul.nul)$/.test(it ?? ''))).toHaveLength(4)
  expect(messages.join()).not.toContain('\r')
})

it('stops at a line that no event may have, says where, and goes on when it is shortened', async () => {
  const word = makeWord('long')
  const large = 'x'.repeat(2 * 1024 * 1024)
  const before = `${word} one\n${large}\n${word} two\n`
  const file = makeFile('long.log', `${before}${large.repeat(5)}\n${word} three\n`)
  const stopped = await run(file, '-yes')
  expect(stopped.code).toBe(1)
  expect(stopped.err).toMatch(/the line at byte \d+ or after it is longer than 8 MiB/)
  expect(stopped.err).toContain('shorten or remove it')
  makeFile('long.log', `${before}short\n${word} three\n`)
  expect((await run(file, '-yes')).out).toMatch(/^accepted: 4\nrejected: 1\n/)
  await searchUntil(3, { searchQuery: word })
}, 60_000)

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
