// What is remembered of the shapes of events: the tree of pieces (event-shapes.ts), what a shape
// means for an account (shape-plan.ts) and the layouts that it had (shape-layouts.ts).
import type { ByteSource } from '../../bytes/byte-source.ts'

/** These top-level keys are read whole, whatever their value is (decision 3.2). */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  'productPath',
  'productName',
  'productType',
])

/** Column that keeps the text of a time more than a day ahead (decision 3.7). */
export const ORIGINAL_TIME_COLUMN = 'original timestamp'

/** One object of the event; `use` is the key that opened it, null for the event itself. */
export type Frame = { readonly use: KeyUse | null; readonly depth: number }

/** One occurrence of a key. */
export type KeyUse = {
  readonly frame: Frame
  readonly key: string
  /** Keys from the top joined with '.'. */
  readonly name: string
}

/** A place for a leaf value, and what was seen to follow it. */
export type Slot = {
  /** null: the start of the event. */
  readonly use: KeyUse | null
  /** What leads here; null at the start. */
  readonly from: Edge | null
  /** Objects here are not opened, but kept in JSON. */
  readonly isDeep: boolean
  /** What followed last time. */
  lastEdge: Edge | null
  /** The first that were met; compared one by one. */
  readonly edges: Edge[]
  /** Those beyond, by their text in Latin-1. */
  more: Map<string, Edge> | null
}

/** A literal piece and where it leads. */
export type Edge = {
  readonly from: Slot
  readonly bytes: ByteSource
  readonly length: number
  /** The same as text. */
  readonly text: string
  /** False when the piece is no valid UTF-8. */
  readonly isExact: boolean
  /** Every key in the piece, in order. */
  readonly uses: readonly KeyUse[]
  /** null: the end of the event. */
  slot: Slot | null
  /** At the end of an event: what its shape means, made at its first use. */
  plan: ShapePlan | null
}

/** Where a key's value is: a slot of the shape, or a value inside a slot's JSON text. */
export type ValuePlace = { readonly slot: number; readonly pathInBlob: readonly string[] | null }

export type ShapePlan = {
  readonly edges: readonly Edge[]
  readonly slotCount: number
  /** Column of each slot, '' for none. */
  readonly columnNames: readonly string[]
  /** The same as the stored column `names` (schemas/shown-columns.ts). */
  readonly names: string
  /** Slots of reserved keys. */
  readonly isReserved: readonly boolean[]
  /** The shape cannot be rebuilt from columns, whatever the values are. */
  readonly isNeverFlat: boolean
  /** In order of preference. */
  readonly messages: readonly ValuePlace[]
  readonly times: readonly ValuePlace[]
  /** One an element of the account's split columns, null where the key is missing. */
  readonly splits: readonly (ValuePlace | null)[]
  /** Slots of the reserved keys, -1 where they are missing. */
  readonly pathSlot: number
  readonly nameSlot: number
  readonly typeSlot: number
  readonly layouts: KnownLayout[]
}

export type KnownLayout = {
  readonly codes: Uint8Array
  readonly literals: readonly string[]
  readonly timeFormatCode: number
  readonly layout: string
}
