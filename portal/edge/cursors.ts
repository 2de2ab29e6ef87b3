// Cursors of lists (decision 9.3): the key of the last row, signed, and bound to the list that it
// came from. A list goes by its ids downwards, so that what is added meanwhile moves nothing.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '../../schemas/failures.ts'

const MAC_BYTES = 16

export type Page<Row> = {
  readonly data: readonly Row[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
}

export class Cursors {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** `list`: path, caller's organization and filters, whatever makes it this list. Fails with
   *  portal.invalid_cursor. */
  read(cursor: string, list: string): string {
    const [body = '', mac = ''] = cursor.split('.', 2)
    const key = Buffer.from(body, 'base64url')
    const right = this.#macOf(key.toString('utf8'), list)
    const given = Buffer.from(mac, 'base64url')
    const isOurs = given.length === right.length && timingSafeEqual(given, right)
    if (!isOurs || this.write(key.toString('utf8'), list) !== cursor)
      throw new Failure('portal.invalid_cursor')
    return key.toString('utf8')
  }

  write(key: string, list: string): string {
    const body = Buffer.from(key, 'utf8').toString('base64url')
    return `${body}.${this.#macOf(key, list).toString('base64url')}`
  }

  /** `rows`: one more than the page has, where there are more. */
  page<Row, Told>(
    rows: readonly Row[],
    told: { limit: number; list: string; keyOf: (row: Row) => string; tell: (row: Row) => Told },
  ): Page<Told> {
    const { limit, list, keyOf, tell } = told
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = rows.length > limit && last !== undefined
    return {
      data: shown.map(tell),
      nextCursor: hasMore ? this.write(keyOf(last), list) : null,
      hasMore,
    }
  }

  #macOf(key: string, list: string): Buffer {
    const mac = createHmac('sha256', this.#key)
      .update(JSON.stringify([list, key]))
      .digest()
    return mac.subarray(0, MAC_BYTES)
  }
}
