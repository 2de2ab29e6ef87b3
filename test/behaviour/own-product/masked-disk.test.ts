// A thousand secrets, sent in every way there is to a listener account that hides them: the whole
// data directory is read afterwards, with the tables of the store, and holds none
// (docs/decisions/0088).
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TABLES } from '../../../schemas/store/tables.ts'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { startEmbeddedStore } from '../../support/store/embedded-store.ts'

const TEST_MS = 300_000
const GROUPS = 250
const RULES = 'hash email@#@#cut column user.pin@#@#replace *** iban@#@#cut bearer'

type Planted = {
  readonly mail: string
  readonly pin: string
  readonly iban: string
  readonly token: string
}

const planted: readonly Planted[] = Array.from({ length: GROUPS }, (_, n) => ({
  mail: `secretive${n}x@planted${n}.example`,
  pin: `pinned-${n}-planted`,
  iban: ibanOf(n),
  token: `plantedToken${n}abcdefgh`,
}))

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-masked-'))
const dataDir = join(directory, 'data')
let product: Product
beforeAll(async () => {
  product = await startProduct({ dataDir })
}, TEST_MS)
afterAll(async () => {
  await product?.killAll()
  rmSync(directory, { recursive: true, force: true })
})

it(
  'are nowhere on the disk',
  async () => {
    const admin = { url: product.url, password: product.secrets.password }
    const made = await callSdk(admin, 'addListener', { name: 'masked', maskRules: RULES })
    const { token } = made.response as { token: string }
    let sent = 0
    for (const [n, secret] of planted.entries()) sent += await send(token, n, secret)
    const client = makeSearchClient(product.url, product.secrets.password)
    const count = () => client.count('planted')
    await waitUntil('the events are found', async () => (await count()) >= GROUPS, count)
    await callSdk(admin, 'replayRejected', {})
    await callSdk(admin, 'verifyMask', { listener: 'masked', maskRules: RULES })
    await callSdk(admin, 'exportAll', {})
    expect(await callSdk(admin, 'backup', { name: 'masked' })).toMatchObject({ success: true })
    const backups = () => readdirSync(join(dataDir, 'backups'))
    await waitUntil('the backup is there', () => backups().includes('masked'), backups)
    expect(sent).toBeGreaterThan(GROUPS)
    await product.stop()
    const kept = [...readFiles(dataDir), await readTables()]
    // What is read is what was kept: the rest of the same events is found by the same reading.
    expect(kept.some(({ text }) => text.includes('planted rest of 17'))).toBe(true)
    const secrets = planted.flatMap(({ mail, pin, iban, token }) => [mail, pin, iban, token])
    expect(secrets).toHaveLength(1000)
    const found = kept.flatMap(({ name, text }) =>
      secrets.filter((it) => text.includes(it)).map((it) => `${it} in ${name}`),
    )
    expect(found).toEqual([])
  },
  TEST_MS,
)

/** How many events; some of them are rejected. */
async function send(token: string, n: number, { mail, pin, iban, token: bearer }: Planted) {
  const message = `planted rest of ${n} ${mail} pays from ${iban}`
  const event = { message, user: { pin }, header: `Bearer ${bearer}`, [mail]: 1 }
  const whole = JSON.stringify(event)
  // A column rule hides columns; of JSON inside of a text it knows none (docs/guides/privacy.md).
  const text = JSON.stringify({ ...event, user: {} })
  const escaped = whole.replace('@', '\\u0040')
  const inner = JSON.stringify({ message: `planted ${n}`, body: text })
  const broken = `{"message":"planted ${mail} Bearer ${bearer}","iban":"${iban}","user":{"pin":"${pin}"`
  const deep = `{"message":"planted ${mail}","d":${'['.repeat(60)}${']'.repeat(60)}}`
  const ways: readonly (readonly [body: string, type: string, query: string])[] = [
    [whole, 'application/json', `&hostName=${encodeURIComponent(mail)}`],
    [[escaped, inner].join('\n'), 'application/json', ''],
    [broken, 'application/json', ''],
    [deep, 'application/json', ''],
    [`${message} Bearer ${bearer}\n`, 'text/plain', ''],
    [whole, 'application/json', '&debug=1'],
  ]
  const [body, type, query] = ways[n % ways.length] ?? ['', '', '']
  const address = `${product.url}/logeye/api/logger.jsp?token=${token}${query}`
  for (const [text, contentType, at] of [
    [body, type, address],
    [whole, 'application/json', `${product.url}/logeye/api/logger.jsp?token=${token}`],
  ] as const) {
    const answer = await fetch(at, {
      method: 'POST',
      headers: { 'content-type': contentType, 'idempotency-key': `${mail} ${text.length}` },
      body: text,
    })
    expect(answer.status).toBeLessThan(500)
    await answer.arrayBuffer()
  }
  return 2
}

function readFiles(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const name = join(entry.parentPath, entry.name)
      return { name, text: readFileSync(name, 'latin1') }
    })
}

/** Files of the store are compressed. */
async function readTables(): Promise<{ name: string; text: string }> {
  const engine = await startEmbeddedStore({ dataDir, shouldMigrate: false })
  try {
    const texts: string[] = []
    for (const table of Object.keys(TABLES))
      for (const row of await engine.store.query({ sql: `SELECT * FROM ${table}` }))
        texts.push(JSON.stringify(row))
    return { name: 'the tables of the store', text: texts.join('\n') }
  } finally {
    await engine.kill9()
    await engine.store.close()
  }
}

/** Of Germany, with check digits. */
function ibanOf(n: number): string {
  const account = `370400440${String(532_013_000 + n).padStart(9, '0')}`.slice(0, 18)
  const rest = BigInt(`${account}131400`) % 97n
  return `DE${String(98n - rest).padStart(2, '0')}${account}`
}
