// The audit log: who did what, when, with which result (decisions 7.3, 8.3). While one transaction
// runs the next entries gather, so that many searches a second cost a few commits.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'
import { hashAuditEntry } from '../../evidence/chain-hash.ts'
import { moveChainHead, readChainHead } from '../../evidence/chain-heads.ts'
import { takeIds } from '../counters.ts'
import { wellFormed } from '../well-formed.ts'
import type { AuditEntry } from './port.ts'

const MAX_WAITING = 10_000
const ROWS_A_STATEMENT = 200
const MAX_TEXT = 4000

type Waiting = {
  entry: AuditEntry
  atMs: number
  done: () => void
  failed: (error: unknown) => void
}

export class AuditWriter {
  readonly #database: Database
  readonly #clock: Pick<Clock, 'nowMs'>
  #waiting: Waiting[] = []
  #flush: Promise<void> | undefined

  constructor(database: Database, clock: Pick<Clock, 'nowMs'>) {
    this.#database = database
    this.#clock = clock
  }

  audit(entry: AuditEntry): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING)
      return Promise.reject(new Failure('database.unavailable'))
    return new Promise((done, failed) => {
      this.#waiting.push({ entry, atMs: this.#clock.nowMs(), done, failed })
      this.#flush ??= this.#flushAll()
    })
  }

  /** Resolves when nothing waits. */
  async close(): Promise<void> {
    while (this.#flush !== undefined) await this.#flush
  }

  async #flushAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, ROWS_A_STATEMENT)
      try {
        await this.#write(some)
        for (const one of some) one.done()
      } catch (error) {
        for (const one of some) one.failed(error)
      }
    }
    this.#flush = undefined
  }

  async #write(some: readonly Waiting[]): Promise<void> {
    await this.#database.write((transaction) => insertAudit(transaction, some))
  }
}

/** Inside a change's own transaction: the change and its entry are there together or not at all.
 *  Its hash covers the entry before it, whatever process wrote that (docs/decisions/0111). */
export async function insertAudit(
  transaction: Transaction<Tables>,
  entries: readonly { readonly entry: AuditEntry; readonly atMs: number }[],
): Promise<void> {
  const firstId = await takeIds(transaction, 'audit', entries.length)
  let { hash } = await readChainHead(transaction, 'audit')
  const rows = entries.map(({ entry, atMs }, index) => {
    const row = {
      id: firstId + index,
      at_ms: atMs,
      user_id: entry.userId,
      user_name: toText(entry.userName),
      address: toText(entry.address),
      action: toText(entry.action),
      target: toText(entry.target),
      result: toText(entry.result),
      details: JSON.stringify(entry.details ?? {}),
    }
    const previous = hash
    hash = hashAuditEntry(previous, row)
    return { ...row, previous, hash }
  })
  await transaction.insertInto('audit').values(rows).execute()
  const number = firstId + entries.length - 1
  await moveChainHead(transaction, 'audit', { number, hash })
}

/** PostgreSQL takes no NUL, and the embedded database cuts a text there. It must be read as it was
 *  written: its hash tells. */
function toText(text: string): string {
  return wellFormed(text.slice(0, MAX_TEXT)).replaceAll('\0', '\ufffd')
}
