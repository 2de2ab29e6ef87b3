// Excerpts of real logs (test/fixtures) as the writer stored them, read back from the store for the reference.
import { readFileSync } from 'node:fs'
import type { KnownColumn } from '../../../query/language/search-input.ts'
import type { SearchPipeline } from '../search-pipeline.ts'
import type { CampaignWorld } from './campaign.ts'
import type { ReferenceEvent, ReferenceLog } from './model.ts'
import type { QueryColumn } from './query-columns.ts'
import { fold } from './text.ts'

const FILES = {
  apache: 'apache-access.log',
  cloudtrail: 'aws-cloudtrail.ndjson',
  nginx: 'nginxplus-status.ndjson',
  sysmon: 'windows-sysmon.ndjson',
  zeek: 'zeek-apt29.ndjson',
}
/** They would get the time of their receipt, and every run other answers. */
const TIMELESS = new Set(['apache', 'sysmon'])
const FIRST_MS = Date.UTC(2022, 4, 13, 8, 54)
const REPEATS = 3
const LONGEST_VALUE = 60

export async function ingestRealEvents(pipeline: SearchPipeline): Promise<void> {
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const [name, file] of Object.entries(FILES)) {
      const text = readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8')
      const lines = text.split(/\r?\n/).filter((line) => line !== '')
      const events = lines.map((line, index) => ({
        productPath: `Real->${name}`,
        productName: `${name} ${repeat}`,
        ...(TIMELESS.has(name) ? { timestamp: FIRST_MS + index * 7777 } : {}),
        ...(line.startsWith('{') ? JSON.parse(line) : { message: line }),
      }))
      await pipeline.ingest(events, { hostName: `host-${repeat}` })
    }
  }
}

type StoredRow = {
  readonly log_id: number
  readonly ns: string
  readonly host: string
  readonly source: string
  readonly message: string
  readonly rest: string
  readonly ids: Readonly<Record<string, string>>
  readonly paths: readonly string[]
  readonly values: readonly string[]
  readonly types: readonly string[]
  readonly layout: string
  readonly raw: string
  readonly size: number
}

const SQL = `SELECT log_id, toString(toUnixTimestamp64Nano(timestamp)) AS ns, host, source, message, rest, ids,
  JSONAllPaths(columns) AS paths, JSONAllValues(columns) AS values,
  mapValues(JSONAllPathsWithTypes(columns)) AS types, layout, raw, size
  FROM events ORDER BY partition, offset, \`index\``

export async function readRealWorld({ engine, db }: SearchPipeline): Promise<CampaignWorld> {
  const tree = await db.metastore.tree()
  const logs: ReferenceLog[] = [...tree.logs.values()].filter(({ folder }) =>
    folder.includes('Real'),
  )
  const columns = await db.metastore.columns(logs.map(({ id }) => id))
  const byId = new Map(logs.map((log) => [log.id, log]))
  const rows = await engine.store.query<StoredRow>({ sql: SQL })
  const events = rows.flatMap((row, arrival): ReferenceEvent[] => {
    const log = byId.get(row.log_id)
    return log ? [toEvent(row, log, arrival)] : []
  })
  const names = new Map([...columns].map(([id, list]) => [id, spellings(list)] as const))
  return {
    stored: {
      world: { events, logs, names, window: { startMs: null, endMs: null }, zone: 'Europe/Berlin' },
      columns,
    },
    columns: queryColumns(events),
    words: termsOf(events),
    scopes: ['log.zeek *', 'folder.Real->apache', 'server.host-1', 'folder.Real', 'log.sysmon ?'],
    intervals: ['hour', 'day', '2 days', 'week', '3 months', 'year', '10 years'],
    transactionKeys: ['host', 'id_orig_h', 'uid'],
  }
}

function spellings(columns: readonly KnownColumn[]): string[] {
  const ordered = [...columns].sort((a, b) => a.position - b.position)
  return [...new Set(ordered.map(({ name }) => name))]
}

function toEvent(row: StoredRow, log: ReferenceLog, arrival: number): ReferenceEvent {
  const isWhole = row.layout.startsWith('w')
  const columns: Record<string, string | number | boolean> = { ...row.ids }
  for (const [index, path] of row.paths.entries()) {
    const value = row.values[index] ?? ''
    columns[path] =
      row.types[index] === 'Float64'
        ? Number(value)
        : row.types[index] === 'Bool'
          ? value === 'true'
          : value
  }
  return {
    log,
    arrival,
    timestampMs: Number(row.ns.slice(0, -6)) + Number(row.ns.slice(-6)) / 1_000_000,
    host: row.host,
    source: row.source,
    message: isWhole ? row.raw : row.message,
    raw: row.raw,
    size: row.size,
    texts: [row.message, ...row.rest.split('\u001f'), ...Object.values(row.ids)],
    columns,
  }
}

/** What can be asked of the columns, from their values. */
function queryColumns(events: readonly ReferenceEvent[]): QueryColumn[] {
  const values = new Map<string, Set<string | number | boolean>>()
  for (const { columns } of events) {
    for (const [name, value] of Object.entries(columns)) {
      const known = values.get(name) ?? new Set()
      values.set(name, known.add(value))
    }
  }
  const parsed = [...values].map(([name, set]): QueryColumn => {
    const list = [...set]
    const texts = list.map(String).filter((text) => text.length <= LONGEST_VALUE)
    const isNumber = list.every((value) => typeof value === 'number')
    const isCased = new Set(texts.map(fold)).size < texts.length
    return {
      name,
      kind: isNumber ? 'number' : isCased ? 'cased' : 'text',
      values: texts.slice(0, 8).map((text) => (isNumber ? text : quoted(text))),
    }
  })
  return [
    ...parsed.filter(({ name }) => !/[,|="[\]]/.test(name)),
    { name: 'host', kind: 'text', values: ['host-0', 'host-*'] },
    { name: 'log', kind: 'text', values: ['"zeek 1"', '*2'] },
    { name: 'size', kind: 'number', values: ['1kb', '500', '2000'] },
    { name: 'timestamp', kind: 'date', values: [] },
    { name: 'message', kind: 'text', values: ['"conn"', '*GET*'] },
  ]
}

/** Words and phrases that stand in the texts, and some that nearly do. */
function termsOf(events: readonly ReferenceEvent[]): string[] {
  const pieces = events.flatMap(({ texts }) => texts.flatMap((text) => text.split(/\s+/)))
  const short = [...new Set(pieces)].filter((text) => text.length > 1 && text.length < 40)
  const chosen = short.filter((_, index) => index % 7 === 0)
  return chosen
    .flatMap((text) => [quoted(text), quoted(text.slice(0, -1))])
    .filter((text) => text !== '""')
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
