// One request as the listener would put it into a block.
import type { BlockRequest } from '../../../schemas/block/schema.ts'
import { testClock } from '../run/test-clock.ts'

export type SentRequest = {
  /** Bytes after the events, for rejections to point at. */
  tail?: string
  events: readonly (object | string)[]
  accountId?: number
  accountVersion?: number
  receivedMs?: number
  idempotencyKey?: string
  hostName?: string
  form?: string
  origins?: BlockRequest['origins']
  rejections?: BlockRequest['rejections']
}

export function makeRequest(sent: SentRequest): BlockRequest {
  const bodies = sent.events.map((event) =>
    Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)),
  )
  const ranges: number[] = []
  let at = 0
  for (const body of bodies) {
    ranges.push(at, at + body.length)
    at += body.length
  }
  return {
    accountId: sent.accountId ?? 1,
    accountVersion: sent.accountVersion ?? 1,
    receivedMs: sent.receivedMs ?? testClock.nowMs(),
    hostName: sent.hostName ?? 'web-01',
    peer: '127.0.0.1',
    idempotencyKey: sent.idempotencyKey ?? '',
    form: sent.form ?? 'logger',
    ...(sent.origins === undefined ? {} : { origins: sent.origins }),
    body: Buffer.concat([...bodies, Buffer.from(sent.tail ?? '')]),
    ranges: Uint32Array.from(ranges),
    rejections: sent.rejections ?? [],
  }
}
