// Templates of formats (search-language#formats): `column.<name>` is the value of the row, the
// longest known name wins, `column.{A B}` says a name exactly.

import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import type { RowColumns } from './row-columns.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly name: string }

const PREFIX = /column\./giy
const WORD = /[\p{L}\p{Nd}_]+/uy
const IN_WORD = /^[\p{L}\p{Nd}_]{2}$/u

/** The format simple. */
export function templateSql(template: string, row: RowColumns, context: CompileContext): string {
  const texts = parseTemplate(template, row).map((part) =>
    part.kind === 'text' ? context.params.text(part.text) : columnText(part.name, row, context),
  )
  return joined(texts)
}

export function columnText(name: string, row: RowColumns, context: CompileContext): string {
  const operand = row.find(name)
  return operand ? shownText(operand, context) : "''"
}

export function joined(texts: readonly string[]): string {
  if (texts.length === 0) return "''"
  return texts.length === 1 ? `toString(${texts[0]})` : `concat(${texts.join(', ')})`
}

export function parseTemplate(template: string, row: RowColumns): TemplatePart[] {
  const parts: TemplatePart[] = []
  let text = ''
  for (let at = 0; at < template.length; ) {
    const found = columnAt(template, at, row)
    if (found) {
      if (text !== '') parts.push({ kind: 'text', text })
      text = ''
      parts.push({ kind: 'column', name: found.name })
      at = found.end
    } else {
      text += template.charAt(at)
      at += 1
    }
  }
  if (text !== '') parts.push({ kind: 'text', text })
  return parts
}

type NamesByLength = readonly (readonly [number, ReadonlyMap<string, string>])[]
const known = new WeakMap<readonly string[], NamesByLength>()

/** Names by their folded text, the longest first: a row may have thousands. */
function byLength(names: readonly string[]): NamesByLength {
  const found = known.get(names)
  if (found) return found
  const lengths = new Map<number, Map<string, string>>()
  for (const name of names) {
    if (name === '') continue
    const same = lengths.get(name.length) ?? new Map<string, string>()
    lengths.set(name.length, same)
    const folded = name.toLowerCase()
    if (!same.has(folded)) same.set(folded, name)
  }
  const sorted = [...lengths].sort(([a], [b]) => b - a)
  known.set(names, sorted)
  return sorted
}

/** Whether a word goes on here: `column.pid` is no column `p`. */
function isCut(template: string, at: number): boolean {
  return IN_WORD.test(template.slice(Math.max(0, at - 1), at + 1))
}

/** `column.<name>` at a place of a text. */
export function columnAt(
  template: string,
  at: number,
  { names }: RowColumns,
): { readonly name: string; readonly end: number } | undefined {
  PREFIX.lastIndex = at
  if (!PREFIX.test(template)) return undefined
  const start = at + 'column.'.length
  if (template.charAt(start) === '{') {
    const close = template.indexOf('}', start)
    return close < 0 ? undefined : { name: template.slice(start + 1, close), end: close + 1 }
  }
  for (const [length, byFolded] of byLength(names)) {
    const name = byFolded.get(template.slice(start, start + length).toLowerCase())
    if (name !== undefined && !isCut(template, start + length)) return { name, end: start + length }
  }
  WORD.lastIndex = start
  const word = WORD.exec(template)?.[0]
  return word === undefined ? undefined : { name: word, end: start + word.length }
}
