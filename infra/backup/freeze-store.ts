// The embedded store as of now: hard links of all parts, which no merge takes away, and the
// definitions of the tables. Results of searches are left out. Days on other disks are in it, too,
// and lie in the data directory when it is put back (docs/decisions/0132).
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Store } from '../store/port.ts'
import { readDirectories } from '../store/server/disks/claim-directories.ts'

const FREEZE_TIMEOUT_MS = 60_000
/** The engine writes other characters than letters, digits and _ in another way. */
const PREFIX = 'logeye_backup_'
const KEPT_TABLES = ['events', 'counts', 'idempotency', 'gone', 'migrations'] as const

/** Where a file lies, and its place in a data directory. */
export type FrozenFile = { readonly from: string; readonly path: string; readonly bytes: number }
export type FrozenLink = { readonly path: string; readonly link: string }

export type FrozenStore = {
  readonly files: readonly FrozenFile[]
  readonly links: readonly FrozenLink[]
  /** Rows of the table of events. */
  readonly events: number
  remove(): void
}

export async function freezeStore(
  store: Pick<Store, 'command' | 'query'>,
  dataDir: string,
  id: string,
): Promise<FrozenStore> {
  const name = `${PREFIX}${id}`
  const directory = join(dataDir, 'store')
  const disks = await store.query<{ path: string }>({ sql: 'SELECT path FROM system.disks' })
  const shadows = disks.map(({ path }) => join(path, 'shadow', name))
  const remove = () => {
    for (const shadow of shadows) removeTree(shadow)
  }
  try {
    for (const table of KEPT_TABLES)
      await store.command({
        sql: `ALTER TABLE ${table} FREEZE WITH NAME '${name}'`,
        timeoutMs: FREEZE_TIMEOUT_MS,
      })
    const tables = await store.query<{ name: string; path: string }>({
      sql: "SELECT name, arrayJoin(data_paths) AS path FROM system.tables WHERE database = 'default'",
    })
    const files: FrozenFile[] = shadows.filter(existsSync).flatMap((shadow) =>
      listFiles(shadow).map((file) => ({
        ...file,
        path: join('store', relative(shadow, file.from)),
      })),
    )
    const ownTables = tables.filter(({ path }) => !relative(directory, path).startsWith('..'))
    const ofEvents = ownTables.find((table) => table.name === 'events')?.path ?? ''
    const eventParts = join('store', relative(directory, ofEvents))
    const events = files
      .filter(({ path }) => dirname(dirname(path)) === eventParts && path.endsWith('/count.txt'))
      .reduce((sum, { from }) => sum + Number(readFileSync(from, 'latin1')), 0)
    const [active] = await store.query<{ rows: string }>({
      sql: "SELECT sum(rows) AS rows FROM system.parts WHERE active AND database = 'default' AND table = 'events'",
    })
    if (Number(active?.rows ?? 0) !== events)
      throw new Failure('backup.failed', { reason: 'the store changed while it was frozen' })
    for (const { path } of ownTables) {
      const from = join(path, 'format_version.txt')
      files.push({ from, path: join('store', relative(directory, from)), bytes: sizeOf(from) })
    }
    const definitions = listDefinitions(directory)
    files.push(...definitions.files)
    return { files, links: definitions.links, events, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Those of processes that were killed, on all disks. */
export function removeFrozen(dataDir: string): void {
  for (const root of [join(dataDir, 'store'), ...readDirectories(dataDir)]) {
    const directory = join(root, 'shadow')
    if (!existsSync(directory)) continue
    for (const name of readdirSync(directory))
      if (name.startsWith(PREFIX)) removeTree(join(directory, name))
  }
}

/** The directory of the database is a link into the store. */
function listDefinitions(directory: string): {
  files: FrozenFile[]
  links: FrozenLink[]
} {
  const files: FrozenFile[] = []
  const links: FrozenLink[] = []
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const from = join(at, entry.name)
      const path = join('store', relative(directory, from))
      if (entry.isDirectory()) visit(from)
      else if (entry.isFile()) files.push({ from, path, bytes: sizeOf(from) })
      else if (entry.isSymbolicLink()) {
        const link = readlinkSync(from)
        const target = resolve(dirname(from), link)
        links.push({ path, link: relative(dirname(from), target) })
        visit(target)
      }
    }
  }
  visit(join(directory, 'metadata'))
  return { files, links }
}

function listFiles(directory: string): { from: string; bytes: number }[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const from = join(directory, entry.name)
    return entry.isDirectory() ? listFiles(from) : [{ from, bytes: sizeOf(from) }]
  })
}

function sizeOf(path: string): number {
  return lstatSync(path).size
}

function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 })
}
