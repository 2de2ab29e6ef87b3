// Objects of a bucket, as a shipper leaves them: a new key each time, some of them packed, some
// written once more with the same content.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../../../infra/clock.ts'
import type { ObjectStore } from '../../../../infra/objects/port.ts'
import { openS3Store } from '../../../../infra/objects/s3.ts'
import type { S3Target } from '../../../../infra/outbound/s3.ts'
import type { Random } from '../../campaign/target.ts'
import { linesOf, type Writer } from './writer.ts'

const MOST_LINES = 300
const PACKED_EVERY = 3
const AGAIN_EVERY = 4

export class ObjectWriter implements Writer {
  readonly name: string
  /** By keys, and a late one is listed late. */
  readonly isOrdered = false
  readonly patterns = ['/app/*']
  readonly #objects: ObjectStore
  readonly #spool: string
  readonly #random: Random
  #lines = 0
  #made = 0
  #last: { readonly key: string; readonly bytes: Buffer } | undefined

  constructor(
    name: string,
    { target, random }: { readonly target: S3Target; readonly random: Random },
  ) {
    this.name = name
    this.#random = random
    this.#spool = mkdtempSync(join(tmpdir(), 'logeye-campaign-objects-'))
    this.#objects = openS3Store(
      { ...target, prefix: '' },
      { spool: join(this.#spool, 'spool'), clock: systemClock },
    )
  }

  get lines(): number {
    return this.#lines
  }

  async turn(): Promise<void> {
    if (this.#last !== undefined && this.#random(AGAIN_EVERY) === 0) return await this.#put()
    const count = 1 + this.#random(MOST_LINES)
    const text = Buffer.from(linesOf(this.#lines, count))
    this.#lines += count
    this.#made += 1
    const isPacked = this.#random(PACKED_EVERY) === 0
    const key = `app/${String(this.#made).padStart(8, '0')}.log${isPacked ? '.gz' : ''}`
    this.#last = { key, bytes: isPacked ? gzipSync(text) : text }
    await this.#put()
  }

  async change(): Promise<void> {
    await this.turn()
  }

  async close(): Promise<void> {
    rmSync(this.#spool, { recursive: true, force: true })
  }

  async #put(): Promise<void> {
    if (this.#last === undefined) return
    const { key, bytes } = this.#last
    await this.#objects.put(key, give(bytes))
  }
}

async function* give(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
