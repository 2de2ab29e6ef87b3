// The events of the search manual in a running search: sent as its setup block says, asked as its
// readers would.
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { openTestApp, readState } from '../apps/query-app.ts'
import { openSearchPipeline } from '../apps/search-pipeline.ts'
import { evaluate } from '../reference/run/evaluate.ts'
import { readStoredWorld } from '../reference/run/stored-world.ts'
import { testClock } from '../run/test-clock.ts'

export const MANUAL = new URL('../../../docs/reference/search-language.md', import.meta.url)
const WINDOW = {
  startTimeFullStr: '2026-11-16T08:00:00Z',
  endTimeFullStr: '2026-11-16T11:59:59Z',
}

export type Asked = {
  readonly kind: 'result' | 'error' | 'finds' | 'answer'
  readonly text: string
}

/** `setup`: the commands of the manual; accounts, hosts and files are read from them. */
export async function openManualWorld(setup: string) {
  const pipeline = await openSearchPipeline()
  const { database, metastore, adminPassword } = pipeline.db
  const accounts = new Map<string, number>()
  for (const [, name = '', folder = '', tag = ''] of setup.matchAll(
    /-api addListener -name (\w+) -parentFolder (\w+) -appTags (\w+)/g,
  )) {
    const change = { parentFolder: [folder], appTags: [tag] }
    const { account } = await database.write((transaction) =>
      addAccount(transaction, testClock, name, change),
    )
    accounts.set(name.toUpperCase(), account.id)
  }
  const setZone = async (zone: string) => {
    await database.write((transaction) => setSetting(transaction, 'system.timeZone', zone))
    await metastore.refresh()
  }
  await setZone('UTC')
  const sent = /^send "\$(\w+)" "([^"]+)"$/gm
  for (const [, token = '', hosts = ''] of setup.matchAll(sent)) {
    for (const hostName of hosts.split(' ')) {
      const file = new URL(`../../cases/manual/${hostName}.ndjson`, import.meta.url)
      const events = readFileSync(file, 'utf8').trimEnd().split('\n')
      await pipeline.ingest(events, { hostName, accountId: accounts.get(token) ?? 0 })
    }
  }
  const app = openTestApp(pipeline.db, pipeline.engine.store)
  const { world: stored } = await readStoredWorld(pipeline, ['Shop', 'Ops'], 'UTC')
  const window = {
    startMs: Date.parse(WINDOW.startTimeFullStr),
    endMs: Date.parse(WINDOW.endTimeFullStr) + 1000,
  }

  async function search(query: string, resultFormat: string) {
    const answer = await app.search({ searchQuery: query, ...WINDOW, resultFormat })
    const isFailed = answer.headers.get('content-type')?.includes('xml') ?? true
    if (isFailed)
      return { error: unescapeXml((await readState(answer)).replace(/^200 Fail \[\d\] /, '')) }
    return { text: await answer.text() }
  }

  return {
    /** The table or the failure of a query. */
    async query(query: string, zone = ''): Promise<Asked> {
      if (zone !== '') await setZone(zone)
      const { text, error } = await search(query, 'csv-plain')
      if (zone !== '') await setZone('UTC')
      if (text === undefined) return { kind: 'error', text: error ?? '' }
      const cells: string[][] = parse(text, { recordDelimiter: '\n', relaxColumnCount: true })
      return { kind: 'result', text: printTable(cells) }
    },
    /** Ids of the events found, oldest first. */
    async finds(query: string): Promise<Asked> {
      const { text, error } = await search(query, 'json')
      if (text === undefined) return { kind: 'finds', text: error ?? '' }
      const ids = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => String(JSON.parse(line).id))
      return { kind: 'finds', text: ids.length === 0 ? 'nothing' : ids.toReversed().join(' ') }
    },
    /** What the reference evaluator makes of a query; it knows no `raw` and no letter X of
     *  dates. */
    reference(kind: 'query' | 'finds', query: string, zone: string): string {
      const answer = evaluate(query, { ...stored, window, zone: zone || 'UTC' })
      if (kind === 'query') return printTable([answer.columns, ...answer.rows])
      const at = answer.columns.indexOf('id')
      return (
        answer.rows
          .map((row) => row[at])
          .toReversed()
          .join(' ') || 'nothing'
      )
    },
    /** What a curl command answers; JSON is printed for reading. */
    async call(command: string): Promise<Asked> {
      const { path, init } = readCurl(command, adminPassword)
      const answer = await app.call(path, init)
      const text = (await answer.text()).trimEnd()
      const isJson = answer.headers.get('content-type')?.includes('application/json') ?? false
      return { kind: 'answer', text: isJson ? JSON.stringify(JSON.parse(text), null, 2) : text }
    },
    async stop() {
      await app.app.stop()
      await pipeline.stop()
    },
  }
}

/** Columns side by side; line ends, tabs and backslashes of cells as in JSON. */
export function printTable(cells: readonly (readonly string[])[]): string {
  const shown = cells.map((row) => row.map((cell) => cell.replace(/[\n\t\r]/g, printControl)))
  const [header = [], ...rows] = shown
  const widths = header.map((_, at) => Math.max(...shown.map((row) => [...(row[at] ?? '')].length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length))
      .join(' | ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-')
  return [line(header), rule, ...(rows.length === 0 ? ['(no rows)'] : rows.map(line))].join('\n')
}

function printControl(character: string): string {
  return JSON.stringify(character).slice(1, -1)
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replace(/&(\w+);/g, (whole, name: string) => named[name] ?? whole)
}

/** The options of curl that the manual uses; anything else is a mistake in it. */
function readCurl(command: string, password: string): { path: string; init: RequestInit } {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
  const fields = new URLSearchParams()
  const headers: Record<string, string> = {}
  let [path, json, isGet]: [string, string | undefined, boolean] = ['', undefined, false]
  const rest = words.slice(1).values()
  const next = () => rest.next().value ?? ''
  for (const word of rest) {
    if (word === '-G') isGet = true
    else if (word === '-u')
      headers.authorization = `Basic ${btoa(next().replace('$PASSWORD', password))}`
    else if (word === '--json') json = next()
    else if (word === '--data-urlencode') {
      const [name = '', ...value] = next().split('=')
      fields.append(name, value.join('='))
    } else if (word.startsWith('http://localhost:30303/')) path = word.slice(22)
    else throw new Error(`curl ${word}`)
  }
  if (words[0] !== 'curl' || path === '') throw new Error(`no call: ${command}`)
  if (json !== undefined) {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return { path, init: { ...init, body: json } }
  }
  if (isGet) return { path: `${path}?${fields}`, init: { headers } }
  return { path, init: { method: 'POST', headers, body: fields } }
}
