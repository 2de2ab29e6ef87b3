// A partition goes to another disk so that neither a kill nor a loss of power takes or doubles a
// row. The engine copies its parts beside, lets each copy take the place of its part at once, and
// forgets the part; but it does not sync the copies. So links to the parts of before stay until the
// copies are on the disk: a start that finds such links puts back what is not there.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from '../../../logger.ts'
import type { Asker } from '../engine.ts'
import { sqlString } from '../request/sql-tokens.ts'

const MOVE = /^ALTER\s+TABLE\s+(\w+)\s+MOVE\s+PARTITION\s+\((\d+),\s*(\d+)\)\s+TO\s+DISK\s/i
const PREFIX = 'logeye_move_'
const KEPT = /^logeye_move_(\w+)_(\d+)_(\d+)$/
/** Partition, first and last block of a part, and what comes behind. */
const PART = /^(\d+-\d+)_(\d+)_(\d+)_/
const PARTS_AT_ONCE = 4

type Moved = { readonly table: string; readonly policy: string; readonly date: string }

/** Undefined: another statement. */
export function readMove(sql: string): Moved | undefined {
  const [, table, policy, date] = MOVE.exec(sql) ?? []
  return table === undefined || policy === undefined || date === undefined
    ? undefined
    : { table, policy, date }
}

type MoveSteps = {
  /** The statement itself. */
  readonly move: () => Promise<Uint8Array>
  /** Ends the process: with links left behind it must not go on, since the next start would put
   *  back what was removed meanwhile. */
  readonly fail: () => never
}

export async function movePartition(
  ask: Asker,
  moved: Moved,
  { move, fail }: MoveSteps,
): Promise<Uint8Array> {
  const { table, policy, date } = moved
  const name = `${PREFIX}${table}_${policy}_${date}`
  const roots = await readRoots(ask)
  removeKept(roots, name)
  try {
    await ask(`ALTER TABLE ${table} FREEZE PARTITION (${policy}, ${date}) WITH NAME '${name}'`)
    return await move()
  } finally {
    // Also of one that failed in the middle: some parts may be linked, and some may have gone.
    await endMove(ask, roots, { moved, name }).catch(fail)
  }
}

async function endMove(
  ask: Asker,
  roots: readonly string[],
  { moved, name }: { readonly moved: Moved; readonly name: string },
): Promise<void> {
  await syncParts(ask, moved)
  removeKept(roots, name)
}

/** At a start, before anything else is asked of the engine. */
export async function endMoves(ask: Asker, logger: Logger): Promise<void> {
  const roots = await readRoots(ask)
  const names = roots.flatMap((root) => list(join(root, 'shadow')))
  for (const name of new Set(names)) {
    const [, table, policy, date] = KEPT.exec(name) ?? []
    if (table === undefined || policy === undefined || date === undefined) continue
    const moved = { table, policy, date }
    for (const root of roots) {
      const lost = await findLost(ask, moved, join(root, 'shadow', name))
      for (const part of lost) {
        const detached = join(root, 'store', part.tableDirectory, 'detached', part.name)
        rmSync(detached, { recursive: true, force: true })
        renameSync(part.path, detached)
        await ask(`ALTER TABLE ${table} ATTACH PART ${sqlString(part.name)}`)
        logger.warn('a part that a move to another disk had not ended was put back', {
          part: part.name,
        })
      }
    }
    await endMove(ask, roots, { moved, name })
  }
}

type KeptPart = { readonly name: string; readonly path: string; readonly tableDirectory: string }

/** Kept parts of which no active part holds the blocks. */
async function findLost(ask: Asker, moved: Moved, kept: string): Promise<readonly KeptPart[]> {
  const active = (await readActive(ask, moved)).map(({ name }) => PART.exec(name))
  const isThere = (name: string) => {
    const [, partition, first, last] = PART.exec(name) ?? []
    return active.some(
      (part) =>
        part?.[1] === partition &&
        Number(part?.[2]) <= Number(first) &&
        Number(part?.[3]) >= Number(last),
    )
  }
  const store = join(kept, 'store')
  const directories = list(store).flatMap((group) =>
    list(join(store, group)).map((id) => join(group, id)),
  )
  return directories.flatMap((tableDirectory) =>
    list(join(store, tableDirectory))
      .filter((name) => !isThere(name))
      .map((name) => ({ name, path: join(store, tableDirectory, name), tableDirectory })),
  )
}

async function syncParts(ask: Asker, moved: Moved): Promise<void> {
  const queue = (await readActive(ask, moved)).map(({ path }) => path)
  const work = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) await syncPart(path)
  }
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work))
}

async function syncPart(directory: string): Promise<void> {
  try {
    for (const name of await readdir(directory)) await syncPath(join(directory, name))
    await syncPath(directory)
    await syncPath(dirname(directory.replace(/\/$/, '')))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Merged into another meanwhile, which the engine synced.
    if (code !== 'ENOENT') throw error
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

async function readActive(
  ask: Asker,
  { table, policy, date }: Moved,
): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const lines = await readLines(
    ask,
    `SELECT concat(name, '\\n', path) FROM system.parts WHERE active AND database = 'default' AND table = ${sqlString(table)}
      AND partition_id = ${sqlString(`${policy}-${date}`)} FORMAT TSVRaw`,
  )
  return Array.from({ length: lines.length / 2 }, (_, at) => ({
    name: lines[2 * at] ?? '',
    path: lines[2 * at + 1] ?? '',
  }))
}

/** Of all disks. */
async function readRoots(ask: Asker): Promise<readonly string[]> {
  return await readLines(ask, 'SELECT path FROM system.disks FORMAT TSVRaw')
}

async function readLines(ask: Asker, sql: string): Promise<string[]> {
  return Buffer.from(await ask(sql))
    .toString()
    .split('\n')
    .filter(Boolean)
}

function removeKept(roots: readonly string[], name: string): void {
  for (const root of roots)
    rmSync(join(root, 'shadow', name), { recursive: true, force: true, maxRetries: 3 })
}

function list(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}
