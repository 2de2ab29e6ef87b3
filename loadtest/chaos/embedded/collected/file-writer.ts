// A log file as programs and logrotate leave it: appended to, renamed, copied and cut off, packed,
// with a link to it; and, when all was read, cut off, replaced, or removed and made again.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { execFileSync } from '../../../../test/support/run/run-sync.ts'
import type { Random } from '../../campaign/target.ts'
import { linesOf, type Writer } from './writer.ts'

const MOST_LINES = 40
const FILE = 'app.log'
const LINK = 'current'
/** As of logrotate with dates: of one second, all that SFTP tells, names go up. */
const ROTATED = '-2026'
/** The newest one may still be read. */
const UNPACKED = 1

export class FileWriter implements Writer {
  readonly name: string
  readonly isOrdered = true
  readonly #directory: string
  readonly #random: Random
  readonly #turns: readonly (() => void)[]
  #lines = 0
  #rotated = 0

  /** `mayCopy`: copies are told from the files that they were made of. */
  constructor(
    name: string,
    options: { readonly directory: string; readonly mayCopy: boolean; readonly random: Random },
  ) {
    const { directory, mayCopy, random } = options
    this.name = name
    this.#directory = directory
    this.#random = random
    const none = () => undefined
    const copy = mayCopy ? () => this.#copyAndCut() : none
    this.#turns = [none, none, none, () => this.#rename(), copy, () => this.#pack(), none]
    mkdirSync(directory, { recursive: true })
    writeFileSync(this.#path(FILE), '')
    symlinkSync(FILE, this.#path(LINK))
  }

  /** Of the log: the link names the same file once more. */
  get patterns(): readonly string[] {
    return [this.#path(`${FILE}*`), this.#path(LINK)]
  }

  get lines(): number {
    return this.#lines
  }

  async turn(): Promise<void> {
    this.#append()
    this.#turns[this.#random(this.#turns.length)]?.()
  }

  async change(): Promise<void> {
    const random = this.#random(4)
    for (const name of this.#others()) if (this.#random(2) === 0) rmSync(this.#path(name))
    if (random === 0) truncateSync(this.#path(FILE), 0)
    if (random === 1) {
      const next = this.#path('.next')
      writeFileSync(next, this.#next())
      renameSync(next, this.#path(FILE))
    }
    if (random === 2) {
      rmSync(this.#path(FILE))
      writeFileSync(this.#path(FILE), this.#next())
    }
    rmSync(this.#path(LINK))
    symlinkSync(this.#path(FILE), this.#path(LINK))
  }

  async close(): Promise<void> {
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #append(): void {
    appendFileSync(this.#path(FILE), this.#next())
  }

  #next(): string {
    const count = 1 + this.#random(MOST_LINES)
    const text = linesOf(this.#lines, count)
    this.#lines += count
    return text
  }

  #rename(): void {
    renameSync(this.#path(FILE), this.#newName())
    writeFileSync(this.#path(FILE), '')
  }

  /** What would be written in between is lost by this way of rotation itself. */
  #copyAndCut(): void {
    copyFileSync(this.#path(FILE), this.#newName())
    truncateSync(this.#path(FILE), 0)
  }

  #pack(): void {
    const plain = this.#others().filter((name) => !name.endsWith('.gz'))
    const [oldest] = plain
    if (oldest === undefined || plain.length <= UNPACKED) return
    const packed = this.#path(`${oldest}.gz`)
    writeFileSync(packed, gzipSync(readFileSync(this.#path(oldest))))
    // As the program gzip leaves it, to the nanosecond: a Date may be half a millisecond late.
    execFileSync('touch', ['-r', this.#path(oldest), packed])
    rmSync(this.#path(oldest))
  }

  #newName(): string {
    this.#rotated += 1
    return this.#path(`${FILE}${ROTATED}${String(this.#rotated).padStart(6, '0')}`)
  }

  /** Rotated ones, the oldest first. */
  #others(): string[] {
    const names = readdirSync(this.#directory)
    return names.filter((name) => name.startsWith(`${FILE}${ROTATED}`)).sort()
  }

  #path(name: string): string {
    return join(this.#directory, name)
  }
}
