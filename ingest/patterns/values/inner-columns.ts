// The columns inside of `{pairs}` and `{json}`, whose names stand in the line.

import type { PatternColumn } from '../match/program.ts'
import { PairScanner } from './pair-scanner.ts'

export type InnerColumn = {
  readonly name: string
  readonly text: string
  readonly kind: 'text' | 'number'
}

const MAX_COLUMNS = 1000
const MAX_DEPTH = 16
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** A name before `{pairs:name}` or `{json:name}` stands before each, with a point. Text that is no
 *  JSON has none. */
export function innerColumns(column: PatternColumn, text: string): InnerColumn[] {
  const prefix = column.name === '' ? '' : `${column.name}.`
  return column.type === 'json' ? jsonColumns(prefix, text) : pairColumns(column, prefix, text)
}

function pairColumns(
  { separator, equals }: PatternColumn,
  prefix: string,
  text: string,
): InnerColumn[] {
  const scanner = new PairScanner()
  const bytes = Buffer.from(text)
  const columns = new Map<string, InnerColumn>()
  scanner.begin(bytes, 0, bytes.length, separator, equals)
  while (columns.size < MAX_COLUMNS && scanner.next()) {
    const { keyStart, keyEnd, valueStart, valueEnd, isEscaped } = scanner
    const name = prefix + bytes.toString('utf8', keyStart, keyEnd)
    const value = bytes.toString('utf8', valueStart, valueEnd)
    // The first of two stays.
    if (value === '' || columns.has(name)) continue
    const shown = isEscaped ? value.replace(/\\(.)/gs, unescaped) : value
    columns.set(name, { name, text: shown, kind: kindOf(shown) })
  }
  return [...columns.values()]
}

function unescaped(_: string, character: string): string {
  return { n: '\n', t: '\t', r: '\r' }[character] ?? character
}

function jsonColumns(prefix: string, text: string): InnerColumn[] {
  const columns: InnerColumn[] = []
  const add = (name: string, value: unknown, depth: number): void => {
    if (value === null || value === '' || columns.length >= MAX_COLUMNS) return
    if (typeof value === 'object' && !Array.isArray(value) && depth < MAX_DEPTH) {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner, depth + 1)
    } else if (typeof value === 'string') columns.push({ name, text: value, kind: 'text' })
    else {
      const kind = typeof value === 'number' ? 'number' : 'text'
      columns.push({ name, text: JSON.stringify(value), kind })
    }
  }
  const object = parseObject(text)
  for (const [key, value] of Object.entries(object)) add(prefix + key, value, 1)
  return columns
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

function kindOf(text: string): 'text' | 'number' {
  return NUMBER.test(text) ? 'number' : 'text'
}
