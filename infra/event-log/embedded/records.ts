// The two records beside the blocks of a partition, each with a checksum since LMDB has none. Those
// of before may lack it.
import { crc32c } from '../../../schemas/block/crc32c.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { Position } from '../port.ts'

export type State = {
  /** Offset of the next block. */
  readonly end: number
  /** Size of the blocks that are there. */
  readonly bytes: number
  /** Nothing in this file changes any more: its successor holds what it holds. */
  readonly isSealed: boolean
}

export const FIRST_STATE: State = { end: 0, bytes: 0, isSealed: false }
const UNSUMMED_BYTES = 16
const STATE_BYTES = 28
const SEALED = 1

export function printState({ end, bytes, isSealed }: State): Buffer {
  const record = Buffer.alloc(STATE_BYTES)
  record.writeDoubleLE(end, 0)
  record.writeDoubleLE(bytes, 8)
  record.writeDoubleLE(isSealed ? SEALED : 0, 16)
  record.writeUInt32LE(crc32c([record.subarray(0, 24)]), 24)
  return record
}

/** Fails with event_log.damaged. */
export function parseState(record: Buffer | undefined): State {
  if (record === undefined) return FIRST_STATE
  const isSummed = record.length === STATE_BYTES
  const isWhole = isSummed
    ? record.readUInt32LE(24) === crc32c([record.subarray(0, 24)])
    : record.length === UNSUMMED_BYTES
  if (!isWhole) throw recordDamage('the record of its end is not whole')
  const [end, bytes] = [record.readDoubleLE(0), record.readDoubleLE(8)]
  if (!isCount(end) || !isCount(bytes)) throw recordDamage('the record of its end is not whole')
  return { end, bytes, isSealed: isSummed && record.readDoubleLE(16) === SEALED }
}

export function printPosition({ next, metadata }: Position): Buffer {
  return Buffer.from(JSON.stringify({ next, metadata, sum: sumOf({ next, metadata }) }))
}

/** Fails with event_log.damaged. */
export function parsePosition(record: Buffer | undefined): Position {
  if (record === undefined) return { next: 0, metadata: '' }
  const found = parseJson(record)
  const { next, metadata, sum, ...others } = found
  const isWhole =
    isCount(next) &&
    typeof metadata === 'string' &&
    Object.keys(others).length === 0 &&
    (sum === undefined || sum === sumOf({ next, metadata }))
  if (!isWhole) throw recordDamage('the record of its position is not whole')
  return { next, metadata }
}

function parseJson(record: Buffer): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(record.toString())
    return typeof found === 'object' && found !== null ? { ...found } : {}
  } catch {
    throw recordDamage('the record of its position is not whole')
  }
}

function sumOf({ next, metadata }: Position): string {
  return crc32c([Buffer.from(`${next} ${metadata}`)]).toString(16)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function recordDamage(reason: string): Failure {
  return new Failure('event_log.damaged', { reason })
}
