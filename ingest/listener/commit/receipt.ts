// A receipt names the block that holds a request's events: `<partition>-<offset>-<signature>`
// (decision 2.4). The signature covers the account, so that a receipt tells nothing to others, and
// cannot be made up.
import { createHmac, timingSafeEqual } from 'node:crypto'

export type BlockPlace = { readonly partition: number; readonly offset: number }

/** 128 bits: nobody guesses one, and answers stay short. */
const SIGNATURE_BYTES = 16
const FORM = /^(0|[1-9]\d{0,4})-(0|[1-9]\d{0,15})-([0-9a-f]{32})$/

export class Receipts {
  readonly #key: Buffer
  /** Receipts of the block answered last, by account: its requests are answered together. */
  #place: BlockPlace = { partition: -1, offset: -1 }
  readonly #ofPlace = new Map<number, string>()

  constructor(key: Buffer) {
    this.#key = key
  }

  print(place: BlockPlace, accountId: number): string {
    const { partition, offset } = place
    if (partition !== this.#place.partition || offset !== this.#place.offset) {
      this.#place = place
      this.#ofPlace.clear()
    }
    let receipt = this.#ofPlace.get(accountId)
    if (receipt === undefined) {
      receipt = `${partition}-${offset}-${this.#sign(place, accountId).toString('hex')}`
      this.#ofPlace.set(accountId, receipt)
    }
    return receipt
  }

  /** undefined: damaged, forged or another account's. */
  parse(text: string, accountId: number): BlockPlace | undefined {
    const [, partition, offset, signature = ''] = FORM.exec(text) ?? []
    const place = { partition: Number(partition), offset: Number(offset) }
    if (!Number.isSafeInteger(place.offset)) return undefined
    const isOurs = timingSafeEqual(Buffer.from(signature, 'hex'), this.#sign(place, accountId))
    return isOurs ? place : undefined
  }

  #sign({ partition, offset }: BlockPlace, accountId: number): Buffer {
    const hmac = createHmac('sha256', this.#key)
    return hmac.update(`${partition} ${offset} ${accountId}`).digest().subarray(0, SIGNATURE_BYTES)
  }
}
