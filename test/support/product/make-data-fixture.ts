// Makes test/fixtures/data-directories/format-<n>-stopped and -killed: `npx tsx
// test/support/product/make-data-fixture.ts`. The token and the password in them are of nothing
// else. Events, accounts, rights and settings are in both; in the second also events that were
// acknowledged and not stored when power went. Run in a work tree of the version that they shall be
// of.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeSearchClient } from '../clients/search-client.ts'
import { execFileSync, spawnSync } from '../run/run-sync.ts'
import { waitUntil } from '../run/wait-until.ts'
import { type DataFixture, fixturePath, unpackArchive } from './data-fixture.ts'
import { type Product, type Secrets, startProduct } from './product.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ARCHIVE_OPTIONS = '--sort=name --owner=0 --group=0 --numeric-owner -czf'
const LATE_EVENTS = 5

const QUERIES = [
  '* | datastream | interval 4000 days',
  '* | datastream | interval 4000 days | group by log',
  '* | count | group by log | order by log',
  'fixture AND status >= 400 | display only status, user, host | order by status',
  '"two words" | count',
  'late | count | group by user | order by user',
  '* in log.rejected | count',
]

if (spawnSync(process.execPath, [join(ROOT, 'infra/scripts/build.mjs')]).status !== 0)
  throw new Error('the product cannot be built')
const directory = mkdtempSync(join(tmpdir(), 'logeye-fixture-'))
const dataDir = join(directory, 'data')
try {
  const product = await startProduct({ dataDir })
  await fill(product)
  const { secrets } = product
  await product.stop()
  process.stdout.write(`made ${await pack(secrets, 'stopped')}\n`)
  // The store stands still: what is acknowledged now stays in the event log.
  const second = await startProduct({ dataDir, secrets })
  for (const { pid, role } of second.processes()) if (role === 'store') process.kill(pid, 'SIGSTOP')
  for (let n = 0; n < LATE_EVENTS; n += 1)
    await send(second, { message: `late fixture ${n}`, user: n % 2 === 0 ? 'anna' : 'bert' })
  await second.killAll()
  process.stdout.write(`made ${await pack(secrets, 'killed')}\n`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function send(product: Product, event: unknown, token?: string): Promise<void> {
  const query = `token=${token ?? product.secrets.token}&hostName=web-01`
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const url = `${product.url}/logeye/api/logger.jsp?${query}`
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'idempotency-key': body },
  })
  if (answer.status !== 200) throw new Error(`answered ${answer.status} ${await answer.text()}`)
}

async function sdk(product: Product, command: string, given: object): Promise<string> {
  const login = Buffer.from(`admin:${product.secrets.password}`).toString('base64')
  const answer = await fetch(`${product.url}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${login}` },
    body: JSON.stringify(given),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${command}: ${text}`)
  return text
}

async function fill(product: Product): Promise<void> {
  for (let n = 0; n < 30; n += 1) {
    const timestamp = new Date(Date.UTC(2024, 0, 1 + n, 12)).toISOString()
    const values = { status: 200 + 100 * (n % 4), user: n % 3 === 0 ? 'Zoë' : 'max', ms: n / 7 }
    const place = n % 2 === 0 ? { productPath: 'Shop', productName: 'orders' } : {}
    await send(product, { timestamp, message: `fixture ${n}: two words`, ...values, ...place })
  }
  await send(product, '[{"message":"good fixture"},[1]]')
  const made = await sdk(product, 'addListener', { name: 'second' })
  const token = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made)?.[0]
  await send(product, { message: 'fixture of the second account' }, token)
  const { count } = makeSearchClient(product.url, product.secrets.password)
  await waitUntil('the events are found', async () => (await count('fixture')) >= 32)
}

/** What a product that starts on a copy of it answers is what later ones must answer. */
async function pack(secrets: Secrets, end: 'stopped' | 'killed'): Promise<string> {
  const format = Number(readFileSync(join(dataDir, 'format'), 'utf8'))
  const name = `format-${format}-${end}`
  const lateEvents = end === 'killed' ? LATE_EVENTS : 0
  const archive = fixturePath(name, 'tar.gz')
  mkdirSync(dirname(archive), { recursive: true })
  execFileSync('tar', [...ARCHIVE_OPTIONS.split(' '), archive, '-C', dataDir, '.'])
  const copy = join(directory, 'copy')
  mkdirSync(copy)
  unpackArchive(archive, copy)
  const product = await startProduct({ dataDir: copy, secrets })
  try {
    const { search, count } = makeSearchClient(product.url, secrets.password)
    const isFound = async () => (await count('late')) >= lateEvents
    await waitUntil('the late events are found', isFound)
    const searches: DataFixture['searches'] = []
    for (const query of QUERIES) {
      const { rows, state, message } = await search(query)
      if (state !== 'OK' || (rows.length < 2 && lateEvents > 0))
        throw new Error(`${query}: ${message}`)
      searches.push({ query, rows })
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const fixture: DataFixture = { version, format, ...secrets, lateEvents, searches }
    writeFileSync(fixturePath(name, 'json'), `${JSON.stringify(fixture, undefined, 2)}\n`)
  } finally {
    await product.stop()
    rmSync(copy, { recursive: true })
  }
  return name
}
