// What the writer stored, read back from the store for the reference.
import type { SearchPipeline } from '../../apps/search-pipeline.ts'
import type { StoredWorld } from '../random/random-world.ts'
import type { ReferenceEvent, ReferenceLog, ToldColumn } from './model.ts'

type StoredRow = {
  readonly log_id: number
  readonly ns: string
  readonly host: string
  readonly source: string
  readonly message: string
  readonly rest: string
  readonly id_names: string
  readonly ids: string
  readonly paths: readonly string[]
  readonly values: readonly string[]
  readonly types: readonly string[]
  readonly layout: string
  readonly raw: string
  readonly size: number
}

const SQL = `SELECT log_id, toString(toUnixTimestamp64Nano(timestamp)) AS ns, host, source, message, rest, id_names, ids,
  JSONAllPaths(columns) AS paths, JSONAllValues(columns) AS values,
  mapValues(JSONAllPathsWithTypes(columns)) AS types, layout, raw, size
  FROM events ORDER BY partition, offset, \`index\``

/** The events of the logs that lie below one of the folders. */
export async function readStoredWorld(
  { engine, db }: SearchPipeline,
  folders: readonly string[],
  zone: string,
): Promise<StoredWorld> {
  const tree = await db.metastore.tree()
  const logs: ReferenceLog[] = [...tree.logs.values()].filter(({ folder }) =>
    folder.some((level) => folders.includes(level)),
  )
  const columns = await db.metastore.columns(logs.map(({ id }) => id))
  const byId = new Map(logs.map((log) => [log.id, log]))
  const rows = await engine.store.query<StoredRow>({ sql: SQL })
  const events = rows.flatMap((row, arrival): ReferenceEvent[] => {
    const log = byId.get(row.log_id)
    return log ? [toEvent(row, log, arrival)] : []
  })
  const names = new Map([...columns].map(([id, list]) => [id, spellings(list)] as const))
  const texts = new Map([...columns].map(([id, list]) => [id, textSpellings(list)] as const))
  const window = { startMs: null, endMs: null }
  return { world: { events, logs, names, texts, window, zone, nowMs: 0 }, columns }
}

function spellings(columns: readonly ToldColumn[]): string[] {
  const ordered = [...columns].sort((a, b) => a.position - b.position)
  return [...new Set(ordered.map(({ name }) => name))]
}

function textSpellings(columns: readonly ToldColumn[]): ReadonlySet<string> {
  return new Set(columns.filter(({ kind }) => kind === 'text').map(({ name }) => name))
}

function toEvent(row: StoredRow, log: ReferenceLog, arrival: number): ReferenceEvent {
  const isWhole = row.layout.startsWith('w')
  const columns: Record<string, string | number | boolean> = {}
  const ids = row.id_names === '' ? [] : row.ids.split(' ')
  row.id_names.split('\u0002').forEach((name, at) => {
    if (ids[at] !== undefined) columns[name] = ids[at]
  })
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
    texts: [row.message, ...row.rest.split('\u001f'), ...ids],
    columns,
    otherForms: new Set(row.paths.filter((_, index) => row.types[index] === 'String')),
  }
}
