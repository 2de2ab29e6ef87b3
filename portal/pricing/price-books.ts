// The price books of the portal: which one is in force, and each read once. A book never changes,
// so what was read stays right.

import { Failure } from '../../schemas/failures.ts'
import { type PriceBook, priceBookSchema } from '../../schemas/portal/pricing/price-book.ts'
import type { PortalReader } from '../database/open.ts'
import type { PriceBookRow } from '../database/tables.ts'

const MAX_READ = 20

export type BookInForce = { readonly id: string; readonly book: PriceBook }

export class PriceBooks {
  readonly #db: PortalReader
  readonly #read = new Map<string, PriceBook>()

  constructor(db: PortalReader) {
    this.#db = db
  }

  /** Fails with portal.not_found. */
  async inForce(day: string): Promise<BookInForce> {
    const id = await findIdInForce(this.#db, day)
    if (id === undefined) throw new Failure('portal.not_found', { what: 'price book in force' })
    return { id, book: await this.#open(id) }
  }

  async #open(id: string): Promise<PriceBook> {
    const known = this.#read.get(id)
    if (known !== undefined) return known
    const rows = this.#db.selectFrom('price_books').selectAll().where('id', '=', id)
    const book = documentOf(await rows.executeTakeFirstOrThrow())
    const [oldest] = this.#read.keys()
    if (this.#read.size >= MAX_READ && oldest !== undefined) this.#read.delete(oldest)
    this.#read.set(id, book)
    return book
  }
}

/** Of a day, `2026-01-31` in UTC: of those whose time it is the one that began last; of several
 *  the one that was imported last. */
export async function findIdInForce(db: PortalReader, day: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('price_books')
    .select('id')
    .where('from_day', '<=', day)
    .where((eb) => eb.or([eb('to_day', 'is', null), eb('to_day', '>', day)]))
    .orderBy('from_day', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** It was checked when it came. */
export function documentOf({ document }: Pick<PriceBookRow, 'document'>): PriceBook {
  return priceBookSchema.parse(JSON.parse(document))
}

/** The day of a moment, in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
