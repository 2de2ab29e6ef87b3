// Tries to attach a part. Each is noted in the folder of the table before anything of the part
// changes, and the note goes when the part is judged. A note that is found belongs to a try that a
// kill or a failure cut off: its part goes back to where it was, as it was.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Store } from '../../infra/store/port.ts'
import { listActive } from './active-parts.ts'
import type { PartFault } from './part-fault.ts'

const TIMEOUT_MS = 600_000
const PREFIX = 'logeye-repair-'

type Note = {
  /** Where the engine has set it aside. */
  readonly path: string
  readonly name: string
  readonly partitionId: string
  /** Its largest file and the inode of it. The engine renames the folder of a part to attach it,
   *  and makes one of links to its files to detach it. */
  readonly mark: { readonly file: string; readonly inode: number }
  /** What was active or detached beside it, which is never taken for the part. */
  readonly others: readonly string[]
  /** The file that is put right; `before` null: it was absent. */
  readonly mended?: { readonly file: string; readonly before: string | null }
}

export class PartTries {
  readonly #store: Pick<Store, 'query' | 'command'>
  readonly #table: string
  readonly #folder: string

  /** `folder`: of the table. */
  constructor(store: Pick<Store, 'query' | 'command'>, table: string, folder: string) {
    this.#store = store
    this.#table = table
    this.#folder = folder
  }

  /** undefined: it is attached, until `settle` unjudged. Otherwise all is as before. */
  async attach(
    part: Pick<Note, 'path' | 'name' | 'partitionId'>,
    fault?: PartFault,
  ): Promise<Error | undefined> {
    const { path, name, partitionId } = part
    const active = await listActive(this.#store, this.#table, partitionId)
    const mended = fault && { file: fault.file, before: readBefore(join(path, fault.file)) }
    const note: Note = {
      path,
      name,
      partitionId,
      mark: largestFile(path),
      others: [
        ...active.map((it) => it.name),
        ...readdirSync(dirname(path)).filter((it) => it !== basename(path)),
      ],
      ...(mended && { mended }),
    }
    this.#write(note)
    if (fault) replace(join(path, fault.file), fault.content)
    renameSync(path, join(dirname(path), name))
    try {
      await this.#store.command({
        sql: `ALTER TABLE ${this.#table} ATTACH PART '${name}'`,
        timeoutMs: TIMEOUT_MS,
      })
      return undefined
    } catch (error) {
      // It may have come to pass after a time-out.
      if ((await this.#attached(note)).length > 0) return undefined
      await this.#undo(note)
      return error instanceof Error ? error : new Error('unknown')
    }
  }

  /** It is judged. */
  settle(path: string): void {
    rmSync(this.#fileOf(path), { force: true })
    flushFolder(this.#folder)
  }

  /** Every part of a try that was cut off is where it was before. Throws the last failure, after
   *  all were tried. */
  async bringBack(): Promise<void> {
    let failure: unknown
    for (const file of readdirSync(this.#folder).filter((it) => it.startsWith(PREFIX))) {
      try {
        const note = readNote(join(this.#folder, file))
        if (note) await this.#undo(note)
        // Cut off while it was written: nothing had begun.
        else rmSync(join(this.#folder, file))
      } catch (error) {
        failure = error
      }
    }
    if (failure !== undefined) throw failure
  }

  async #undo(note: Note): Promise<void> {
    for (const { name } of await this.#attached(note))
      await this.#store.command({ sql: `ALTER TABLE ${this.#table} DETACH PART '${name}'` })
    const place = findFolder(note)
    if (place !== undefined) {
      const isHome = basename(place).startsWith('broken')
      const home = isHome ? place : freePath(note.path)
      if (!isHome) renameSync(place, home)
      const { mended } = note
      if (mended) {
        const before = mended.before === null ? undefined : Buffer.from(mended.before, 'base64')
        replace(join(home, mended.file), before)
      }
      flushFolder(dirname(home))
    }
    this.settle(note.path)
  }

  async #attached({ partitionId, others, mark }: Note) {
    const active = await listActive(this.#store, this.#table, partitionId)
    return active.filter((it) => !others.includes(it.name) && hasMark(it.path, mark))
  }

  #write(note: Note): void {
    writeFileSync(this.#fileOf(note.path), JSON.stringify(note), { mode: 0o640, flush: true })
    flushFolder(this.#folder)
  }

  #fileOf(path: string): string {
    return join(this.#folder, `${PREFIX}${basename(path)}.json`)
  }
}

/** Where it is among those set aside: the engine has names of its own while it attaches, and sets
 *  it aside anew at a start. A copy of the files is known by name alone. */
function findFolder({ path, name, mark, others }: Note): string | undefined {
  const detached = dirname(path)
  const all = readdirSync(detached)
    .filter((it) => !others.includes(it))
    .map((it) => join(detached, it))
  const byName = [path, join(detached, name), join(detached, `attaching_${name}`)]
  return all.find((it) => hasMark(it, mark)) ?? byName.find((it) => all.includes(it))
}

function freePath(path: string): string {
  const base = path.replace(/_try\d+$/, '')
  let free = path
  for (let count = 1; existsSync(free); count += 1) free = `${base}_try${count}`
  return free
}

function readNote(path: string): Note | undefined {
  try {
    const note: Note = JSON.parse(readFileSync(path, 'utf8'))
    return note
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readBefore(path: string): string | null {
  return existsSync(path) ? readFileSync(path).toString('base64') : null
}

/** undefined: it is absent then. */
function replace(path: string, content: Buffer | string | undefined): void {
  rmSync(path, { force: true })
  if (content !== undefined) writeFileSync(path, content, { mode: 0o640, flush: true })
}

function largestFile(folder: string): Note['mark'] {
  const files = readdirSync(folder).map((file) => ({ file, ...sizeOf(join(folder, file)) }))
  const [largest] = files.sort((one, other) => other.size - one.size)
  if (largest === undefined) throw new Error(`the folder ${basename(folder)} is empty`)
  return { file: largest.file, inode: largest.inode }
}

function sizeOf(path: string): { size: number; inode: number } {
  const { size, ino } = statSync(path)
  // The engine may write this one anew.
  return { size: path.endsWith('.txt') ? -1 : size, inode: ino }
}

function hasMark(folder: string, { file, inode }: Note['mark']): boolean {
  return statSync(join(folder, file), { throwIfNoEntry: false })?.ino === inode
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
