// What the writer keeps with its position in the event log (Position.metadata, at most 4 KiB of
// text): which listener sequences are stored, and the intent of the one batch that may be on its
// way to the store (decision 0003).
import { z } from 'zod'
import type { Cursor } from './cursor.ts'

/** How many listener starts are remembered with their sequence: those used last. */
const MAX_LISTENERS = 64
/** Bounds the text they take, whatever ids listeners choose. */
const MAX_LISTENER_CHARACTERS = 2800
const DAY_MS = 86_400_000
/** Older keys are dropped by day (key-retention.ts). */
const KEY_DAYS = 3

/** Everything that makes the rows of a range, beside the range and the blocks: a replay builds the
 *  same rows. */
export type Intent = {
  /** 1, 2, 3 …: the `upto` of this batch's counters. */
  readonly number: number
  readonly from: Cursor
  readonly to: Cursor
  /** The store refused the event: it goes to System->rejected. */
  readonly isDead: boolean
  /** Logs with a higher id did not exist then. */
  readonly maxLogId: number
  readonly columnsPerLog: number
  readonly timeZone: string
  /** Stands for the time of receipt where a block cannot be read. */
  readonly builtMs: number
}

export type Sequences = ReadonlyMap<string, number>

export type WriterState = {
  /** Random, made once: keeps query ids apart when several products share one store. */
  readonly id: string
  /** Number of the last intent. */
  readonly number: number
  /** Events of the block at Position.next that are stored. */
  readonly index: number
  readonly sequences: Sequences
  readonly intent: Intent | undefined
  /** undefined: the position was written by data format 1, or is the first of its event log. */
  readonly stored: StoredTotal | undefined
}

/** What was ever committed of the partition. It is kept beside the event log, so that an empty
 *  store or an older copy of it is noticed. */
export type StoredTotal = {
  readonly events: number
  /** Time of the last commit. */
  readonly atMs: number
  /** Rows of keys by day of receipt (from 1970, UTC), of the last days. */
  readonly keys: ReadonlyMap<number, number>
}

const whole = z.number().int().min(0)
const cursor = z.tuple([whole, whole]).transform(([offset, index]) => ({ offset, index }))
const storedSchema = z
  .strictObject({ events: whole, atMs: whole, keys: z.array(z.tuple([whole, whole])) })
  .transform(({ keys, ...stored }) => ({ ...stored, keys: new Map(keys) }))
const stateSchema = z.strictObject({
  // Version 1 had no totals. A writer that knows only version 1 stops at 2 with an alarm.
  version: z.union([z.literal(1), z.literal(2)]),
  id: z.string(),
  number: whole,
  index: whole,
  sequences: z.array(z.tuple([z.string(), whole])),
  intent: z
    .strictObject({
      number: whole,
      from: cursor,
      to: cursor,
      isDead: z.boolean(),
      maxLogId: whole,
      columnsPerLog: whole,
      timeZone: z.string(),
      builtMs: whole,
    })
    .optional(),
  stored: storedSchema.optional(),
})

/** undefined: the partition has no position yet. Throws on text that no release of this product
 *  wrote. */
export function parseState(metadata: string): WriterState | undefined {
  if (metadata === '') return undefined
  const { version, sequences, intent, stored, ...state } = stateSchema.parse(JSON.parse(metadata))
  return { ...state, sequences: new Map(sequences), intent, stored }
}

export function printState(state: WriterState): string {
  const { intent, stored } = state
  return JSON.stringify({
    version: 2,
    ...state,
    stored: stored && { ...stored, keys: [...stored.keys] },
    sequences: [...state.sequences],
    intent: intent && { ...intent, from: printCursor(intent.from), to: printCursor(intent.to) },
  })
}

/** After one more batch. */
export function addStored(
  stored: StoredTotal,
  batch: { readonly rows: number; readonly keys: readonly { readonly receivedMs: number }[] },
  atMs: number,
): StoredTotal {
  const keys = new Map(stored.keys)
  for (const { receivedMs } of batch.keys) {
    const day = Math.floor(receivedMs / DAY_MS)
    keys.set(day, (keys.get(day) ?? 0) + 1)
  }
  const newest = Math.max(...keys.keys())
  for (const day of keys.keys()) if (day <= newest - KEY_DAYS) keys.delete(day)
  return { events: stored.events + batch.rows, atMs, keys }
}

/** Notes a stored block; forgets the listener start that was used longest ago. */
export function noteSequence(
  sequences: Map<string, number>,
  listener: string,
  sequence: number,
): void {
  sequences.delete(listener)
  sequences.set(listener, sequence)
  let characters = 0
  for (const id of sequences.keys()) characters += id.length + 14
  for (const id of sequences.keys()) {
    if (sequences.size <= MAX_LISTENERS && characters <= MAX_LISTENER_CHARACTERS) return
    sequences.delete(id)
    characters -= id.length + 14
  }
}

function printCursor({ offset, index }: Cursor): [number, number] {
  return [offset, index]
}
