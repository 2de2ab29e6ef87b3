// The columns inside of `{pairs}` and `{json}`, whose names stand in the line.

import type { PatternColumn } from '../match/program.ts'
import { type JsonNode, readJsonObject } from './json-tree.ts'
import { PairScanner } from './pair-scanner.ts'

export type InnerColumn = {
  readonly name: string
  readonly text: string
  readonly kind: 'text' | 'number'
}

const MAX_COLUMNS = 1000
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

/** Of two equal names the last stays, as everywhere in JSON. */
function jsonColumns(prefix: string, text: string): InnerColumn[] {
  const columns = new Map<string, InnerColumn>()
  const add = (name: string, node: JsonNode): void => {
    if (typeof node !== 'string') for (const [key, inner] of node) add(`${name}.${key}`, inner)
    else if (columns.size < MAX_COLUMNS || columns.has(name)) {
      const column = leafColumn(name, node)
      if (column === undefined) columns.delete(name)
      else columns.set(name, column)
    }
  }
  for (const [key, node] of readJsonObject(text) ?? []) add(prefix + key, node)
  return [...columns.values()]
}

/** undefined: no value. */
function leafColumn(name: string, source: string): InnerColumn | undefined {
  if (source === 'null' || source === '""') return undefined
  if (source.startsWith('"')) return { name, text: String(JSON.parse(source)), kind: 'text' }
  return { name, text: source, kind: /^[-\d]/.test(source) ? 'number' : 'text' }
}

function kindOf(text: string): 'text' | 'number' {
  return NUMBER.test(text) ? 'number' : 'text'
}
