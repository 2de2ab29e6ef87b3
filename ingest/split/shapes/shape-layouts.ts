// The layout strings of a shape (schemas/event-layout.ts): built once for each way in which its
// slots were filled, then found again by comparing small integers.
import {
  columnPlaceholder,
  FLAT_LAYOUT_START,
  hostPlaceholder,
  messagePlaceholder,
  timePlaceholder,
} from '../../../schemas/event-layout.ts'
import { ownCopy } from '../../../schemas/names/own-copy.ts'
import { type KnownLayout, ORIGINAL_TIME_COLUMN, type ShapePlan } from './shape.ts'

/** Ways to fill one shape that are remembered; fewer for shapes of many slots. */
const MAX_LAYOUTS = 32
const MAX_LAYOUT_SLOTS = 4096
/** A longer value that would stand in the layout is stored raw instead. */
export const MAX_LITERAL = 256

/** How a slot's value stands in the layout. */
export const QUOTED_COLUMN = 0
export const BARE_COLUMN = 1
export const QUOTED_MESSAGE = 2
export const BARE_MESSAGE = 3
export const QUOTED_HOST = 4
export const BARE_HOST = 5
export const QUOTED_ORIGINAL_TIME = 6
export const BARE_ORIGINAL_TIME = 7
export const LITERAL = 8
export const QUOTED_TIME = 9
export const BARE_TIME = 10

/** How one event filled the slots of its shape. Reused: only the first entries count. */
export type Filling = {
  /** One a slot, of the constants above. */
  codes: Uint8Array
  /** Tokens of the slots that are LITERAL, in order. */
  literals: string[]
  literalCount: number
  /** How the slot that gave the time wrote it; 0 for none. */
  timeFormatCode: number
}

/** One string object for equal layouts of a shape. */
export function layoutOf(plan: ShapePlan, filling: Filling): string {
  const { layouts } = plan
  for (let i = 0; i < layouts.length; i++) {
    const known = layouts[i]
    if (known === undefined || !isFilledAlike(known, filling)) continue
    if (i > 0) {
      layouts[i] = layouts[i - 1] ?? known
      layouts[i - 1] = known
    }
    return known.layout
  }
  const made = {
    codes: filling.codes.slice(0, plan.slotCount),
    literals: filling.literals.slice(0, filling.literalCount).map(ownCopy),
    timeFormatCode: filling.timeFormatCode,
    layout: ownCopy(makeLayout(plan, filling)),
  }
  const most = Math.max(2, Math.min(MAX_LAYOUTS, MAX_LAYOUT_SLOTS / Math.max(1, plan.slotCount)))
  if (layouts.length >= most) layouts.pop()
  layouts.push(made)
  return made.layout
}

function isFilledAlike(known: KnownLayout, filling: Filling): boolean {
  if (known.timeFormatCode !== filling.timeFormatCode) return false
  const { codes, literals } = known
  for (let i = 0; i < codes.length; i++) if (codes[i] !== filling.codes[i]) return false
  if (literals.length !== filling.literalCount) return false
  for (let i = 0; i < literals.length; i++) if (literals[i] !== filling.literals[i]) return false
  return true
}

function makeLayout(plan: ShapePlan, filling: Filling): string {
  const parts = [FLAT_LAYOUT_START]
  let literal = 0
  plan.edges.forEach((edge, slot) => {
    parts.push(edge.text)
    if (slot === plan.slotCount) return
    const code = filling.codes[slot] ?? LITERAL
    if (code === LITERAL) parts.push(filling.literals[literal++] ?? '')
    else parts.push(placeholder(code, plan.columnNames[slot] ?? '', filling.timeFormatCode))
  })
  return parts.join('')
}

function placeholder(code: number, column: string, timeFormatCode: number): string {
  switch (code) {
    case QUOTED_COLUMN:
      return columnPlaceholder('quoted', column)
    case BARE_COLUMN:
      return columnPlaceholder('bare', column)
    case QUOTED_ORIGINAL_TIME:
      return columnPlaceholder('quoted', ORIGINAL_TIME_COLUMN)
    case BARE_ORIGINAL_TIME:
      return columnPlaceholder('bare', ORIGINAL_TIME_COLUMN)
    case QUOTED_MESSAGE:
      return messagePlaceholder('quoted')
    case BARE_MESSAGE:
      return messagePlaceholder('bare')
    case QUOTED_HOST:
      return hostPlaceholder('quoted')
    case BARE_HOST:
      return hostPlaceholder('bare')
    case QUOTED_TIME:
      return timePlaceholder('quoted', timeFormatCode)
    default:
      return timePlaceholder('bare', timeFormatCode)
  }
}
