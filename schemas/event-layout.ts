// The layout of a stored event: its bytes with the leaf values cut out, so that `raw` need not be
// stored (decision 0002). Splitting (ingest) writes it, searching (query) fills it again. Three
// shapes, told apart by the first character:
//   'w'  the whole object is the message (decision 3.6): `raw` is stored and stands for the message
//   'r'  `raw` is stored, since the bytes could not be rebuilt
//   'f'  flat: literal text with placeholders. The literals are JSON text, where no control
//        character but tab and line ends can stand: so the placeholders are control characters.
import { decodeTimeFormat, printTime, type TimeFormat } from './time/time-format.ts'

export const WHOLE_LAYOUT = 'w'
export const RAW_LAYOUT = 'r'
export const FLAT_LAYOUT_START = 'f'

const QUOTED_COLUMN = '\u0001'
/** No name of a column holds it (isLayoutName). */
export const END_OF_NAME = '\u0002'
const BARE_COLUMN = '\u0003'
const QUOTED_MESSAGE = '\u0004'
const BARE_MESSAGE = '\u0005'
const QUOTED_HOST = '\u0006'
const BARE_HOST = '\u0007'
const QUOTED_TIME = '\u000e'
const BARE_TIME = '\u000f'

/** Placeholders of the message and of the host, as characters. */
export const MESSAGE_PLACEHOLDERS = QUOTED_MESSAGE + BARE_MESSAGE
export const HOST_PLACEHOLDERS = QUOTED_HOST + BARE_HOST

/** How a value stood in the event: as a JSON string, or bare (number, true, false, null, or JSON
 *  text kept as it was). */
export type Quoting = 'quoted' | 'bare'

/** The value of a text, id, number or bool column. A quoted column that is absent was "", a bare
 *  one null. */
export function columnPlaceholder(quoting: Quoting, name: string): string {
  return (quoting === 'quoted' ? QUOTED_COLUMN : BARE_COLUMN) + name + END_OF_NAME
}

export function messagePlaceholder(quoting: Quoting): string {
  return quoting === 'quoted' ? QUOTED_MESSAGE : BARE_MESSAGE
}

export function hostPlaceholder(quoting: Quoting): string {
  return quoting === 'quoted' ? QUOTED_HOST : BARE_HOST
}

/** `formatCode` as of encodeTimeFormat. */
export function timePlaceholder(quoting: Quoting, formatCode: number): string {
  return (quoting === 'quoted' ? QUOTED_TIME : BARE_TIME) + formatCode + END_OF_NAME
}

/** False when a column of this name cannot stand in a layout. */
export function isLayoutName(name: string): boolean {
  return !name.includes(END_OF_NAME)
}

/** What rebuilding needs of one stored row. */
export type LayoutRow = {
  readonly layout: string
  /** As stored; '' unless isRawStored(layout). */
  readonly raw: string
  readonly message: string
  readonly host: string
  /** Epoch milliseconds, and nanoseconds below them. */
  readonly timestampMs: number
  readonly timestampNanos: number
  /** Value of the column or of the id of exactly this name; undefined when the row has none (also
   *  where it has only deeper names). */
  column(name: string): string | number | boolean | undefined
}

/** True when the `raw` column holds the event's bytes (they may be no valid UTF-8: read them as
 *  bytes where that matters). */
export function isRawStored(layout: string): boolean {
  return !layout.startsWith(FLAT_LAYOUT_START)
}

/** True when the message is the raw event itself. */
export function isWholeEvent(layout: string): boolean {
  return layout.startsWith(WHOLE_LAYOUT)
}

/** The event's text as it was received. */
export function rebuildRaw(row: LayoutRow): string {
  if (isRawStored(row.layout)) return row.raw
  let text = ''
  for (const part of partsOf(row.layout)) text += fillPart(part, row)
  return text
}

type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'column'; readonly quoting: Quoting; readonly name: string }
  | { readonly kind: 'message' | 'host'; readonly quoting: Quoting }
  | { readonly kind: 'time'; readonly quoting: Quoting; readonly format: TimeFormat }

function fillPart(part: Part, row: LayoutRow): string {
  switch (part.kind) {
    case 'literal':
      return part.text
    case 'column': {
      const value = row.column(part.name)
      if (value === undefined) return part.quoting === 'quoted' ? '""' : 'null'
      return quote(part.quoting, String(value))
    }
    case 'message':
      return quote(part.quoting, row.message)
    case 'host':
      return quote(part.quoting, row.host)
    case 'time':
      return quote(part.quoting, printTime(part.format, row.timestampMs, row.timestampNanos))
  }
}

function quote(quoting: Quoting, text: string): string {
  return quoting === 'quoted' ? JSON.stringify(text) : text
}

const MAX_KNOWN_LAYOUTS = 1024
const knownLayouts = new Map<string, readonly Part[]>()

function partsOf(layout: string): readonly Part[] {
  const known = knownLayouts.get(layout)
  if (known !== undefined) return known
  const parts = parseLayout(layout)
  if (knownLayouts.size >= MAX_KNOWN_LAYOUTS) knownLayouts.clear()
  knownLayouts.set(layout, parts)
  return parts
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the placeholders
const PLACEHOLDER = /[\u0001\u0003\u000e\u000f]([^\u0002]*)(?:\u0002|$)|[\u0004-\u0007]/g

function parseLayout(layout: string): readonly Part[] {
  const parts: Part[] = []
  let end = FLAT_LAYOUT_START.length
  for (const match of layout.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push({ kind: 'literal', text: layout.slice(end, match.index) })
    parts.push(parsePlaceholder(match[0].charAt(0), match[1] ?? ''))
    end = match.index + match[0].length
  }
  if (end < layout.length) parts.push({ kind: 'literal', text: layout.slice(end) })
  return parts
}

function parsePlaceholder(mark: string, name: string): Part {
  switch (mark) {
    case QUOTED_COLUMN:
      return { kind: 'column', quoting: 'quoted', name }
    case BARE_COLUMN:
      return { kind: 'column', quoting: 'bare', name }
    case QUOTED_MESSAGE:
      return { kind: 'message', quoting: 'quoted' }
    case BARE_MESSAGE:
      return { kind: 'message', quoting: 'bare' }
    case QUOTED_HOST:
      return { kind: 'host', quoting: 'quoted' }
    case BARE_HOST:
      return { kind: 'host', quoting: 'bare' }
    default:
      return {
        kind: 'time',
        quoting: mark === QUOTED_TIME ? 'quoted' : 'bare',
        format: decodeTimeFormat(Number(name)),
      }
  }
}
