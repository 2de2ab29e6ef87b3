// Which searches were running when the process died. Each reader has a slot of 32 bytes in a small
// file, written before its statement and cleared after it (no sync: it has to outlive the process,
// not the machine). A search found in two deaths, and not once answered between them, is refused
// for ten minutes. All of it is best effort: a full disk must not keep searches from running.
import { createHash } from 'node:crypto'
import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../clock.ts'

const SLOT_BYTES = 32
const EMPTY = Buffer.alloc(SLOT_BYTES)
const EACH_SLOT = new RegExp(`.{${SLOT_BYTES}}`, 'gs')
const REFUSED_MS = 10 * 60_000
const DEATHS = 2
const MAX_REMEMBERED = 1000

type Death = { readonly fingerprint: string; readonly atMs: number }

export class CrashJournal {
  readonly #file: number | undefined
  readonly #history: string
  #deaths: readonly Death[]
  readonly #clock: Clock

  /** Reads what the last process left in its slots, and begins new ones. */
  constructor(directory: string, slots: number, clock: Clock) {
    this.#clock = clock
    const running = join(directory, 'store-running')
    this.#history = join(directory, 'store-deaths.json')
    const nowMs = clock.nowMs()
    const left = readSlots(running).map((fingerprint) => ({ fingerprint, atMs: nowMs }))
    this.#deaths = [
      ...readDeaths(this.#history).filter((death) => isRecent(death, nowMs)),
      ...left,
    ].slice(-MAX_REMEMBERED)
    // Remembered before the slots are cleared: a death in between only counts once more.
    this.#save()
    this.#file = attempt(() => {
      const file = openSync(running, 'w')
      writeSync(file, Buffer.alloc(slots * SLOT_BYTES), 0, slots * SLOT_BYTES, 0)
      return file
    })
  }

  isRefused(fingerprint: string): boolean {
    const nowMs = this.#clock.nowMs()
    const deaths = this.#deaths.filter(
      (death) => death.fingerprint === fingerprint && isRecent(death, nowMs),
    )
    return deaths.length >= DEATHS
  }

  begin(slot: number, fingerprint: string): void {
    this.#write(slot, Buffer.from(fingerprint, 'latin1'))
  }

  /** A search that is answered was in its deaths by chance. */
  end(slot: number, fingerprint: string, { hasSucceeded }: { hasSucceeded: boolean }): void {
    this.#write(slot, EMPTY)
    const others = this.#deaths.filter((death) => death.fingerprint !== fingerprint)
    if (!hasSucceeded || others.length === this.#deaths.length) return
    this.#deaths = others
    this.#save()
  }

  /** The process is about to end for another reason. */
  clear(): void {
    const file = this.#file
    if (file !== undefined) attempt(() => ftruncateSync(file))
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #write(slot: number, bytes: Buffer): void {
    const file = this.#file
    if (file !== undefined) attempt(() => writeSync(file, bytes, 0, SLOT_BYTES, slot * SLOT_BYTES))
  }

  #save(): void {
    attempt(() => {
      writeFileSync(`${this.#history}.new`, JSON.stringify(this.#deaths))
      renameSync(`${this.#history}.new`, this.#history)
    })
  }
}

/** Made of the statement and the text parameters: times and numbers differ in each call of one
 *  search. 32 characters. */
export function fingerprintOf(statement: string, textParams: readonly string[]): string {
  const hash = createHash('sha256').update(statement)
  for (const param of textParams) hash.update('\0').update(param)
  return hash.digest('hex').slice(0, SLOT_BYTES)
}

/** A death in the future is one of before the time of day was set back: nobody knows how long
 *  ago. */
function isRecent(death: Death, nowMs: number): boolean {
  return Math.abs(nowMs - death.atMs) < REFUSED_MS
}

function readSlots(path: string): string[] {
  const text = readOrEmpty(path)
  const slots = text.match(EACH_SLOT) ?? []
  return [...new Set(slots.filter((slot) => /^[0-9a-f]+$/.test(slot)))]
}

function readDeaths(path: string): Death[] {
  try {
    const value: unknown = JSON.parse(readOrEmpty(path) || '[]')
    return Array.isArray(value) ? value.filter(isDeath) : []
  } catch {
    // Torn by a loss of power: nothing is refused then.
    return []
  }
}

function isDeath(value: unknown): value is Death {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fingerprint' in value &&
    typeof value.fingerprint === 'string' &&
    'atMs' in value &&
    typeof value.atMs === 'number'
  )
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
