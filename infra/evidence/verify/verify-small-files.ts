// Files of a part that stand in no checksum of the engine: they are compared with what the engine
// knows of them since it loaded the part, and read by their form, where this process may read them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../../store/port.ts'

const VERSION_FILE = 'metadata_version.txt'
const SUBSTREAMS_FILE = 'columns_substreams.txt'
const HEAD = /^columns substreams version: 1\n(\d+) columns:\n/
const COLUMN = /^(\d+) substreams for column `(.*)`:$/

type Part = { readonly table: string; readonly name: string; readonly path: string }

export async function passesSmallFiles(
  store: Pick<Store, 'query'>,
  { table, name, path }: Part,
  signal: AbortSignal,
): Promise<boolean> {
  const known = await store.query<{ column: string; substreams: string[] }>({
    sql: `SELECT column, substreams FROM system.parts_columns WHERE database = currentDatabase() AND active
      AND table = {table: String} AND name = {name: String}`,
    params: { table, name },
    signal,
  })
  // Merged into another meanwhile, or of a machine whose files this process does not see.
  if (known.length === 0 || (await read(path, 'columns.txt')) === undefined) return true
  const version = await read(path, VERSION_FILE)
  if (version === undefined || !/^\d{1,10}\n?$/.test(version)) return false
  const text = await read(path, SUBSTREAMS_FILE)
  if (text === undefined) return known.every(({ substreams }) => substreams.length === 0)
  const written = parseSubstreams(text)
  return (
    written !== undefined &&
    written.size === known.length &&
    known.every(({ column, substreams }) => holds(written.get(column), column, substreams))
  )
}

/** The engine tells those alone that have a file. */
function holds(
  written: readonly string[] | undefined,
  column: string,
  told: readonly string[],
): boolean {
  if (written === undefined || told.some((one) => !written.includes(one))) return false
  return !/^\w+$/.test(column) || written.every((one) => one.startsWith(column))
}

/** Undefined: it is no such file. */
function parseSubstreams(text: string): ReadonlyMap<string, readonly string[]> | undefined {
  const head = HEAD.exec(text)
  if (head === null || !text.endsWith('\n')) return undefined
  const lines = text.slice(head[0].length, -1).split('\n')
  const columns = new Map<string, readonly string[]>()
  for (let at = 0; at < lines.length; ) {
    const [, count, column] = COLUMN.exec(lines[at] ?? '') ?? []
    if (count === undefined || column === undefined) return undefined
    const own = lines.slice(at + 1, at + 1 + Number(count))
    if (own.length < Number(count) || own.some((line) => !line.startsWith('\t'))) return undefined
    columns.set(
      column,
      own.map((line) => line.slice(1)),
    )
    at += 1 + Number(count)
  }
  return columns.size === Number(head[1]) ? columns : undefined
}

async function read(path: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(path, name), 'latin1')
  } catch {
    return undefined
  }
}
