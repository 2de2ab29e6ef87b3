// Objects: files that are written once and read whole or in part, in a folder or in a bucket of an
// object storage (docs/decisions/0064). Nothing outside this folder knows which.

export type ObjectSeen = {
  readonly key: string
  readonly bytes: number
  /** Epoch milliseconds, by the clock of the storage. */
  readonly modifiedMs: number
}

/** From the byte `from` up to, but not with, `to`; 0 <= from < to <= bytes of the object. */
export type ByteRange = { readonly from: number; readonly to: number }

/**
 * Keys are parts of `a-z 0-9 _ - .` with slashes between them; no part begins with a dot
 * (`checkKey`; RangeError). Fails with object_store.unavailable where it may work later, and with
 * object_store.refused where somebody must change something.
 */
export interface ObjectStore {
  /** Durable, and seen whole by everybody, when it resolves; before that nothing of it is seen.
   *  What had the key is replaced. What `source` throws is thrown on, and nothing is kept. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<ObjectSeen>
  /** Cancel the stream when it is not read to its end. Fails with object_store.missing. */
  get(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>
  /** Undefined: there is none. */
  head(key: string): Promise<ObjectSeen | undefined>
  /** What is not there is deleted already. */
  delete(key: string): Promise<void>
  /** By key, upwards; at most `limit` (1 to 1000) behind the key `after`. */
  list(
    prefix: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ObjectSeen[]>
}
