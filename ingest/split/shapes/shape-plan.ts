// What is known of every event of one shape (event-shapes.ts) for one account: which slots may give
// message, time, host and log, which column each slot fills, and the layouts made so far. Made once
// a shape, so it may take its time.
import { isLayoutName } from '../../../schemas/event-layout.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { printNames } from '../../../schemas/shown-columns.ts'
import type { EventForm } from '../event-form.ts'
import {
  type Edge,
  type Frame,
  type KeyUse,
  RESERVED_KEYS,
  type ShapePlan,
  type Slot,
  type ValuePlace,
} from './shape.ts'

/** Longest column name, in characters. */
const MAX_COLUMN_NAME = 1000
/** For all names of one event together, or as much as it spells out: `{"a…":{"1":…,"2":…}}` makes a
 *  megabyte of names of nine kilobytes. */
const MAX_COLUMN_NAMES = 32_768

/** Keys of the account whose values are wanted wherever they are. */
export type RoutingKeys = {
  readonly messages: readonly string[]
  readonly times: readonly string[]
  readonly splits: readonly string[]
  readonly areColumnsKept: boolean
  readonly reserved: ReadonlySet<string>
}

export function routingKeys(account: ListenerAccount, form: EventForm): RoutingKeys {
  return {
    messages: form.messageKeys(account),
    times: form.timeKeys(account),
    splits: account.splitColumns.map((column) => column.key),
    areColumnsKept: account.jsonParsingLevel > 0,
    reserved: form.reservedKeys ?? RESERVED_KEYS,
  }
}

/** `slots` and the edges between them, in order: one edge more than slots. */
export function makeShapePlan(
  slots: readonly Slot[],
  edges: readonly Edge[],
  keys: RoutingKeys,
): ShapePlan {
  const live = new LiveUses(edges)
  const uses = slots.map((slot) => (slot.use !== null && live.isLive(slot.use) ? slot.use : null))
  const places = placesByName(uses)
  const names = uses.map((use) => use?.name ?? '')
  const isReserved = uses.map((use) => isReservedUse(use, keys.reserved))
  const reservedSlot = (key: string) =>
    uses.findIndex((use, slot) => isReserved[slot] && use?.key === key)
  const spelled = edges.reduce((sum, { text }) => sum + text.length, 0)
  let room = Math.max(MAX_COLUMN_NAMES, spelled)
  const columnNames = names.map((name, slot) => {
    const isColumn =
      keys.areColumnsKept && isStorableName(name) && !isReserved[slot] && places.get(name) === slot
    if (!isColumn || name.length > room) return ''
    room -= name.length
    return name
  })
  const hasOddColumn = uses.some(
    (use, slot) => use !== null && columnNames[slot] === '' && !isReserved[slot],
  )
  return {
    edges: [...edges],
    slotCount: slots.length,
    columnNames,
    names: printNames(columnNames.filter((name) => name !== '')),
    isReserved,
    isNeverFlat:
      live.hasDuplicate ||
      edges.some((edge) => !edge.isExact) ||
      (keys.areColumnsKept && (hasOddColumn || hasNestedName(columnNames))),
    messages: keys.messages.flatMap((key) => findPlace(key, places, slots) ?? []),
    times: keys.times.flatMap((key) => findPlace(key, places, slots) ?? []),
    splits: keys.splits.map((key) => findPlace(key, places, slots)),
    pathSlot: reservedSlot('productPath'),
    nameSlot: reservedSlot('productName'),
    typeSlot: reservedSlot('productType'),
    layouts: [],
  }
}

/** Among equal keys in one object the last counts (decision 2.1); values below an earlier one are
 *  gone with it. */
class LiveUses {
  hasDuplicate = false
  readonly #last = new Map<Frame, Map<string, KeyUse>>()

  constructor(edges: readonly Edge[]) {
    for (const edge of edges) {
      for (const use of edge.uses) {
        const keys = this.#last.get(use.frame) ?? new Map<string, KeyUse>()
        this.#last.set(use.frame, keys)
        if (keys.has(use.key)) this.hasDuplicate = true
        keys.set(use.key, use)
      }
    }
  }

  isLive(use: KeyUse): boolean {
    if (!this.hasDuplicate) return true
    for (let at: KeyUse | null = use; at !== null; at = at.frame.use) {
      if (this.#last.get(at.frame)?.get(at.key) !== at) return false
    }
    return true
  }
}

function isReservedUse(use: KeyUse | null, reserved: ReadonlySet<string>): boolean {
  return use !== null && use.frame.depth === 1 && reserved.has(use.key)
}

/** Slot by name; a key that itself holds the dots goes before nested keys of the same name
 *  (decision 3.3). */
function placesByName(uses: readonly (KeyUse | null)[]): Map<string, number> {
  const places = new Map<string, number>()
  uses.forEach((use, slot) => {
    if (use === null) return
    const known = uses[places.get(use.name) ?? -1]
    if (known === undefined || known === null || use.frame.depth <= known.frame.depth) {
      places.set(use.name, slot)
    }
  })
  return places
}

function findPlace(
  key: string,
  places: ReadonlyMap<string, number>,
  slots: readonly Slot[],
): ValuePlace | null {
  const slot = places.get(key)
  if (slot !== undefined) return { slot, pathInBlob: null }
  // Below the parsing level: look for the longest leading part of the key that is a blob.
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const blob = places.get(key.slice(0, dot))
    if (blob !== undefined && slots[blob]?.isDeep) {
      return { slot: blob, pathInBlob: key.slice(dot + 1).split('.') }
    }
  }
  return null
}

/** False for a name that the store's JSON column or a layout cannot carry: such values are found by
 *  words and stored raw. */
export function isStorableName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= MAX_COLUMN_NAME &&
    !name.startsWith('.') &&
    !name.endsWith('.') &&
    !name.includes('..') &&
    !name.includes('\ufffd') &&
    !name.includes('\0') &&
    isLayoutName(name)
  )
}

/** True when one column's name continues another's: `a` and `a.b` cannot both be read back from one
 *  JSON value. */
function hasNestedName(names: readonly string[]): boolean {
  const known = new Set(names)
  return names.some((name) => {
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
      if (known.has(name.slice(0, dot))) return true
    }
    return false
  })
}
