// Sends a body twice, first with debug=1, and compares what was said with what a search shows
// afterwards.
import { expect } from 'vitest'
import { expectSuccess, post } from './ingest-client.ts'
import { makeWord, sdk, search, searchUntil } from './product-client.ts'

export type Explained = {
  readonly index: number
  readonly path: string
  readonly log: string
  readonly host: string
  readonly template: string | null
  readonly columns: Readonly<Record<string, string>>
  readonly time: string
}

export type Sender = {
  readonly account?: Readonly<Record<string, string>>
  readonly hostName?: string
  readonly headers?: Readonly<Record<string, string>>
}

const BUILT_IN = ['timestamp', 'log', 'folder', 'host', 'source', 'message']

/** `make` gets a word that must stand in each event. What debug=1 said, after a search has shown
 *  the same. */
export async function expectAsExplained(
  sender: Sender,
  make: (word: string) => object | string,
): Promise<{ explained: Explained[]; account: string; rows: Readonly<Record<string, string>>[] }> {
  const word = makeWord('split')
  const account = makeWord('account ')
  const { token } = await sdk('addListener', { name: account, ...sender.account })
  const made = make(word)
  const body = typeof made === 'string' ? made : JSON.stringify(made)
  const parameters: Record<string, string> =
    sender.hostName === undefined ? {} : { hostName: sender.hostName }
  const options = { token: String(token), headers: sender.headers ?? {} }
  const said = await post(body, { ...options, parameters: { ...parameters, debug: '1' } })
  expect(said).toMatchObject({ status: 200, body: { code: 0, rejected: 0 } })
  const explained = readExplained(said.body?.events)
  const sentMs = Date.now()
  expectSuccess(await post(body, { ...options, parameters }), explained.length)
  await searchUntil(explained.length, { searchQuery: word })
  const rows: Readonly<Record<string, string>>[] = []
  for (const event of explained) rows.push(await expectShown(word, event, account, sentMs))
  return { explained, account, rows }
}

function readExplained(events: unknown): Explained[] {
  expect(Array.isArray(events)).toBe(true)
  return JSON.parse(JSON.stringify(events))
}

async function expectShown(
  word: string,
  event: Explained,
  account: string,
  sentMs: number,
): Promise<Readonly<Record<string, string>>> {
  const query = `${word} in log."${quoted(`${event.path}->${event.log}`)}"`
  const answer = await search({ searchQuery: query, fixedInterval: 'allData' })
  const told = `${JSON.stringify(event)}\n${answer.document.slice(0, 2000)}`
  const row = answer.rows.find((one) => isSame(one, event))
  expect(row, `no row as explained: ${told}`).toBeDefined()
  expect(row, told).toMatchObject({
    folder: event.path,
    log: event.log,
    host: event.host,
    source: account,
  })
  const shownMs = Date.parse(`${row?.timestamp}Z`)
  // What names no time gets that of receipt, which is later the second time.
  if (shownMs >= sentMs) expect(Date.parse(event.time)).toBeLessThanOrEqual(shownMs)
  else
    expect(new Date(shownMs).toISOString(), told).toBe(event.time.replace(/(\.\d{3})\d+Z/, '$1Z'))
  return row ?? {}
}

/** Every column said is shown, and none beside them. */
function isSame(row: Readonly<Record<string, string>>, event: Explained): boolean {
  const said = Object.entries(event.columns).filter(([name]) => !BUILT_IN.includes(name))
  const shown = Object.entries(row).filter(
    ([name, value]) => !BUILT_IN.includes(name) && value !== '',
  )
  const isAllShown = said.every(([name, value]) => (row[name] ?? '') === value)
  return isAllShown && shown.every(([name]) => event.columns[name] !== undefined)
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}
