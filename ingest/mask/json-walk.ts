// Walks over the tokens of one value of JSON and says where keys, texts, other scalars and whole
// members stand. Takes what is no JSON as well as it can: whoever needs that looks at it as text,
// too.
import { BACKSLASH, COLON, QUOTE } from './bytes.ts'

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c

/** One member of an object, from its key to behind its value, and how it can be cut out. */
export type Member = {
  readonly valueFrom: number
  readonly valueTo: number
  readonly cutFrom: number
  readonly cutTo: number
}

export interface JsonVisitor {
  /** A level has begun: it has no key yet. */
  opened(depth: number): void
  /** Between the quotes. */
  key(from: number, to: number, depth: number): void
  text(from: number, to: number): void
  /** A number or literal. */
  scalar(from: number, to: number): void
  /** True: the member whose key was the last at this depth is hidden as a whole. */
  isHidden(depth: number): boolean
  hide(member: Member, depth: number): void
}

type Level = {
  isObject: boolean
  expectsKey: boolean
  keyFrom: number
  valueFrom: number
  comma: number
  /** Members that stay. */
  kept: number
}

const SCALAR_END = new Uint8Array(256)
for (const byte of ' \t\r\n,:{}[]"') SCALAR_END[byte.charCodeAt(0)] = 1

export function walkJson(
  bytes: Uint8Array,
  start: number,
  end: number,
  visitor: JsonVisitor,
): void {
  const levels: Level[] = []
  let depth = 0
  // Of the member that is being hidden; 0: none.
  let hiddenAt = 0
  for (let i = start; i < end; ) {
    const byte = bytes[i] ?? 0
    const level = levels[depth - 1]
    if (byte === COMMA) {
      if (depth > 0 && level !== undefined) {
        level.comma = i
        level.expectsKey = level.isObject
        level.valueFrom = -1
      }
      i += 1
    } else if (byte === COLON) {
      if (level !== undefined) level.expectsKey = false
      i += 1
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      begin(level, i)
      const isObject = byte === OPEN_OBJECT
      const fresh = {
        isObject,
        expectsKey: isObject,
        keyFrom: -1,
        valueFrom: -1,
        comma: -1,
        kept: 0,
      }
      levels[depth] = fresh
      depth += 1
      visitor.opened(depth)
      i += 1
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth > 0) depth -= 1
      i += 1
      ended(i)
    } else if (byte === QUOTE) {
      const to = textEnd(bytes, i + 1, end)
      const isKey = level?.isObject === true && level.expectsKey
      if (isKey) {
        level.keyFrom = i
        level.valueFrom = -1
        if (hiddenAt === 0) {
          visitor.key(i + 1, to, depth)
          if (visitor.isHidden(depth)) hiddenAt = depth
        }
      } else {
        begin(level, i)
        if (hiddenAt === 0) visitor.text(i + 1, to)
      }
      i = Math.min(to + 1, end)
      if (!isKey) ended(i)
    } else if (SCALAR_END[byte] === 1) i += 1
    else {
      const from = i
      while (i < end && SCALAR_END[bytes[i] ?? 0] === 0) i += 1
      begin(level, from)
      if (hiddenAt === 0) visitor.scalar(from, i)
      ended(i)
    }
  }

  function begin(level: Level | undefined, at: number): void {
    if (level !== undefined && level.valueFrom < 0) level.valueFrom = at
  }

  /** A value of the level at hand has ended. */
  function ended(at: number): void {
    const level = levels[depth - 1]
    if (depth === 0 || level === undefined || !level.isObject) return
    if (hiddenAt !== depth) {
      if (hiddenAt === 0) level.kept += 1
      return
    }
    hiddenAt = 0
    const isFirst = level.kept === 0
    const comma = isFirst ? commaAfter(bytes, at, end) : -1
    const cutFrom = isFirst ? level.keyFrom : level.comma
    const cutTo = isFirst && comma >= 0 ? comma + 1 : at
    visitor.hide({ valueFrom: level.valueFrom, valueTo: at, cutFrom, cutTo }, depth)
  }
}

function commaAfter(bytes: Uint8Array, at: number, end: number): number {
  let i = at
  while (i < end && (bytes[i] ?? 0) <= 0x20) i += 1
  return i < end && bytes[i] === COMMA ? i : -1
}

/** The place of the quote that ends a text; `end` where there is none. */
function textEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i += 1) {
    if (bytes[i] === QUOTE) return i
    if (bytes[i] === BACKSLASH) i += 1
  }
  return end
}
