// What explain says of a search that finds nothing, and that its advice finds something
// (decision 4.10). Cases whose names begin with "window" ask for the last day, all others for all
// times.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setViewers } from '../../../../infra/metastore/rights/node-permissions.ts'
import { explain } from '../../../../query/search-json/calls/explain.ts'
import { table } from '../../../../query/search-json/calls/table.ts'
import { openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { readCases } from '../../../support/cases/read-cases.ts'
import { makeJsonClient } from '../../../support/clients/json-client.ts'
import { series } from '../../../support/run/tier.ts'

const READER = { name: 'reader', password: 'reader password' }
const FILE = 'language/advice.txt'
const RECEIVED_MS = Date.UTC(2026, 2, 1, 12)

let pipeline: SearchPipeline
let reader: ReturnType<typeof makeJsonClient>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await pipeline.db.addUser(READER.name, READER.password)
  for (const [at, hostName] of ['web-01', 'web-02'].entries()) {
    const events = [
      { message: 'connection refused by gateway', level: 'ERROR', status: 500, service: 'web' },
      { message: 'payment 17 declined', level: 'WARN', status: 404, service: 'api' },
      { message: 'user logged in', level: 'INFO', status: 200, service: 'web' },
    ].map((event, n) => ({ ...event, user: n === 0 ? 'anna' : 'bob', bytes: 100 * (n + 1 + at) }))
    await pipeline.ingest(events, { hostName, receivedMs: RECEIVED_MS + at * 60_000 })
  }
  const hidden = {
    message: 'conection treasure',
    productPath: 'Vault',
    productName: 'x',
    level: 'EROR',
  }
  await pipeline.ingest([hidden], { hostName: 'vault-01', receivedMs: RECEIVED_MS })
  const folder = { kind: 'folder', levels: ['Events', 'Vault'] } as const
  await pipeline.db.database.write((transaction) =>
    setViewers(transaction, folder, { groups: [], users: [] }),
  )
  await pipeline.db.metastore.refresh()
  const app = openDeliveryApp(pipeline)
  reader = makeJsonClient((path, init) => app.call(path, init), READER)
})
afterAll(() => pipeline?.stop())

const isWritten = process.env.LOGEYE_WRITE_CASES !== undefined
const cases = readCases(FILE)
/** Every second in `npm test`. */
const asked = cases.filter((_, at) => isWritten || at % series(2, 1) === 0)
const seen = new Map<string, string>()

async function answerOf(name: string, query: string) {
  const window = name.startsWith('window') ? {} : { interval: 'allData' }
  const { reasons, advice } = await reader.ask(explain, { query, ...window })
  const lines = [
    ...reasons.map(({ code, message }) => `${code}: ${message}`),
    `ask: ${advice?.query}${advice?.start == null ? '' : ` from ${advice.start} to ${advice.end}`}`,
  ]
  return { advice, window, text: lines.join('\n') }
}

it('has a hundred cases', () => {
  expect(cases).toHaveLength(100)
})

it.each(asked)('$name: $input', async ({ name, input, result }) => {
  const { advice, window, text } = await answerOf(name, input)
  seen.set(name, text)
  if (advice === null) throw new Error(`no advice for ${input}: ${text}`)
  const { query, start, end } = advice
  const times = start === null || end === null ? window : { start, end }
  const { rows } = await reader.ask(table, { query, ...times })
  expect(rows.length, query).toBeGreaterThan(0)
  expect(text).not.toMatch(/treasure|vault|hidden/i)
  if (!isWritten) expect(text).toBe(result)
})

if (isWritten)
  afterAll(() => {
    const printed = cases.map(({ name, input }) => `# ${name}\n${input}\n==> ${seen.get(name)}\n`)
    writeFileSync(join(import.meta.dirname, '../../../cases', FILE), printed.join('\n'))
  })
