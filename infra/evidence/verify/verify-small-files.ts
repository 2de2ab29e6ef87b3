// Reads the files of parts that stand in no checksum of the engine, where this process may read
// them. What they may hold was tried with one version of the engine (docs/decisions/0111): parts
// of another are left alone.
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../../store/port.ts'
import {
  CODEC_FILE,
  findChanged,
  SUBSTREAMS_FILE,
  type ToldColumn,
  type ToldPart,
  VERSION_FILE,
  type WrittenFiles,
} from './small-files.ts'

const TRIED_VERSION = '26.7.'
/** The engine walks all parts of a table for each answer. */
const PARTS_AT_ONCE = 64
/** More than the engine writes into the two short ones. */
const SHORT_BYTES = 4096

type PartName = { readonly table: string; readonly name: string }
type Told = ToldPart & { readonly path: string }
type Asked = { readonly store: Pick<Store, 'query'>; readonly signal: AbortSignal }

/** Those of `parts` of which a file was changed, for certain. */
export async function findChangedParts<Part extends PartName>(
  asked: Asked,
  parts: readonly Part[],
): Promise<ReadonlySet<Part>> {
  const { store, signal } = asked
  const [engine] = await store.query<{ version: string }>({
    sql: 'SELECT version() AS version',
    signal,
  })
  const changed = new Set<Part>()
  if (!engine?.version.startsWith(TRIED_VERSION)) return changed
  for (let at = 0; at < parts.length; at += PARTS_AT_ONCE) {
    const suspects = await look(asked, parts.slice(at, at + PARTS_AT_ONCE))
    for (const part of suspects) if ((await look(asked, [part])).length > 0) changed.add(part)
  }
  return changed
}

async function look<Part extends PartName>(asked: Asked, parts: readonly Part[]): Promise<Part[]> {
  const told = await readTold(asked, parts)
  const written = new Map<Part, WrittenFiles>()
  for (const part of parts) {
    asked.signal.throwIfAborted()
    const its = told.get(keyOf(part))
    const files = its === undefined ? undefined : await readFiles(its)
    if (files !== undefined) written.set(part, files)
  }
  const versions = await readTableVersions(asked)
  const suspects = [...written].filter(([part, files]) => {
    const its = told.get(keyOf(part))
    const version = versions.get(part.table)
    return its && version !== undefined && findChanged(files, its, version) !== undefined
  })
  if (suspects.length === 0) return []
  // One that was merged, removed or moved meanwhile is not there to be read.
  const now = await readTold(
    asked,
    suspects.map(([part]) => part),
  )
  return suspects
    .map(([part]) => part)
    .filter((part) => now.get(keyOf(part))?.path === told.get(keyOf(part))?.path)
}

const keyOf = ({ table, name }: PartName) => `${table} ${name}`

async function readTold(
  { store, signal }: Asked,
  parts: readonly PartName[],
): Promise<ReadonlyMap<string, Told>> {
  const where =
    'WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)} AND name IN {names: Array(String)}'
  const params = {
    tables: [...new Set(parts.map(({ table }) => table))],
    names: parts.map(({ name }) => name),
  }
  const rows = await store.query<PartName & ToldColumn>({
    sql: `SELECT table, name, column, substreams FROM system.parts_columns ${where} ORDER BY table, name, column_position`,
    params,
    signal,
  })
  const columns = new Map<string, ToldColumn[]>()
  for (const { table, name, ...column } of rows) {
    const key = keyOf({ table, name })
    const own = columns.get(key)
    if (own === undefined) columns.set(key, [column])
    else own.push(column)
  }
  const told = await store.query<PartName & { path: string; part_type: string; codec: string }>({
    sql: `SELECT table, name, path, part_type, default_compression_codec AS codec FROM system.parts ${where}`,
    params,
    signal,
  })
  return new Map(
    told.flatMap((part) => {
      const own = columns.get(keyOf(part))
      if (own === undefined) return []
      const { path, codec } = part
      return [[keyOf(part), { path, codec, isCompact: part.part_type === 'Compact', columns: own }]]
    }),
  )
}

async function readTableVersions({ store, signal }: Asked): Promise<ReadonlyMap<string, number>> {
  const rows = await store.query<{ name: string; version: number }>({
    sql: 'SELECT name, metadata_version AS version FROM system.tables WHERE database = currentDatabase()',
    signal,
  })
  return new Map(rows.map(({ name, version }) => [name, Number(version)]))
}

/** Undefined: they are of another machine, or are no more. */
async function readFiles({ path, columns }: Told): Promise<WrittenFiles | undefined> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
    if (!names.has('columns.txt')) return undefined
    const toldBytes = columns.flatMap(({ substreams }) => substreams).join('').length
    const read = async (name: string, maxBytes: number) =>
      names.has(name) ? await readStart(join(path, name), maxBytes) : undefined
    return {
      names,
      version: await read(VERSION_FILE, SHORT_BYTES),
      codec: await read(CODEC_FILE, SHORT_BYTES),
      substreams: await read(SUBSTREAMS_FILE, 65_536 + 4 * toldBytes),
    }
  } catch {
    return undefined
  }
}

/** At most `maxBytes`, which are more than it can have. Undefined: it cannot be read. */
async function readStart(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const pieces: Buffer[] = []
    for await (const piece of createReadStream(path, { end: maxBytes - 1 })) pieces.push(piece)
    return Buffer.concat(pieces).toString('latin1')
  } catch {
    return undefined
  }
}
