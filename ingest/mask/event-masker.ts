// What of one event is hidden, as edits of its bytes. The event stays JSON where it was JSON: a
// text stays a text, a number of which a part is hidden becomes one, a member that is cut goes with
// its comma.
import type { MaskAction, MaskRule } from '../../schemas/masking/mask-rule.ts'
import { BACKSLASH, QUOTE } from './bytes.ts'
import { canonicalValue } from './canonical-value.ts'
import type { ColumnRules } from './column-rules.ts'
import { type JsonVisitor, type Member, walkJson } from './json-walk.ts'
import { plainNumber } from './plain-number.ts'
import { type Hit, mergeHits, type TextHits } from './text-hits.ts'

/** A keyed hash as text of letters that no detector takes for a value. */
export type HashValue = (text: string) => string

/** `text` stands in the place of the bytes from `from` to `to`. */
export type Edit = { readonly from: number; readonly to: number; readonly text: string }

/** How the event stands in its body. */
export type EventKind = 'json' | 'line' | 'broken'

/** What was hidden before: a hash of a hash would be another value. */
const HASHED = /^h_[a-p]{16}$/
const MESSAGE = 'message'

export class EventMasker implements JsonVisitor {
  readonly #rules: readonly MaskRule[]
  readonly #texts: TextHits
  readonly #columns: ColumnRules
  readonly #hash: HashValue
  #bytes: Uint8Array = new Uint8Array()
  #edits: Edit[] = []
  #counts: Uint32Array | undefined
  #keepsHashes = false
  /** Of the keys on the way to the place at hand; -1: that level is an array. */
  readonly #keyFroms: number[] = []
  readonly #keyTos: number[] = []

  constructor(rules: readonly MaskRule[], texts: TextHits, columns: ColumnRules, hash: HashValue) {
    this.#rules = rules
    this.#texts = texts
    this.#columns = columns
    this.#hash = hash
  }

  /** In order, none over another. `keepsHashes`: hashes of before stay. `counts`: hits by rule are
   *  added. */
  edits(
    bytes: Uint8Array,
    event: { readonly start: number; readonly end: number; readonly kind: EventKind },
    { keepsHashes = false, counts }: { keepsHashes?: boolean; counts?: Uint32Array } = {},
  ): readonly Edit[] {
    const { start, end, kind } = event
    this.#bytes = bytes
    this.#edits = []
    this.#keepsHashes = keepsHashes
    this.#counts = counts
    if (kind === 'json') {
      const rule = bytes[start] === QUOTE ? this.#columns.ruleOf(MESSAGE) : undefined
      if (rule === undefined) walkJson(bytes, start, end, this)
      else this.#hide(start, end, rule, this.#texts.plain(bytes, start + 1, end - 1), '"')
      return this.#edits
    }
    if (kind === 'line') {
      const rule = this.#columns.ruleOf(MESSAGE)
      if (rule === undefined) this.#hideHits(this.#texts.find(bytes, start, end, false))
      else this.#hide(start, end, rule, this.#texts.plain(bytes, start, end), '')
      return this.#edits
    }
    return this.#broken(start, end)
  }

  /** What stands for a text that is no part of an event's bytes, as the name of a host. */
  maskText(text: string, column: string): string {
    const rule = text === '' ? undefined : this.#columns.ruleOf(column)
    if (rule !== undefined) return HASHED.test(text) ? text : this.#replacement(rule, text)
    const bytes = Buffer.from(text, 'utf8')
    const { length } = bytes
    const edits = this.edits(bytes, { start: 0, end: length, kind: 'line' })
    return edits.length === 0 ? text : applyEdits(bytes, 0, length, edits).toString('utf8')
  }

  opened(depth: number): void {
    this.#keyTos[depth - 1] = -1
  }

  key(from: number, to: number, depth: number): void {
    this.#keyFroms[depth - 1] = from
    this.#keyTos[depth - 1] = to
    this.text(from, to)
  }

  text(from: number, to: number): void {
    this.#hideHits(this.#texts.find(this.#bytes, from, to, true))
  }

  scalar(from: number, to: number): void {
    const found = this.#texts.find(this.#bytes, from, to, false)
    if (found.length > 0) {
      const text = this.#replaceIn(from, to, found)
      this.#edits.push({ from, to, text: `"${text}"` })
      return
    }
    const plain = plainNumber(this.#bytes, from, to)
    if (plain === undefined) return
    const bytes = Buffer.from(plain, 'latin1')
    const [hit] = this.#texts.find(bytes, 0, bytes.length, false)
    if (hit === undefined) return
    this.#edits.push({ from, to, text: `"${this.#replacement(hit.rule, hit.text)}"` })
  }

  isHidden(depth: number): boolean {
    return this.#ruleAt(depth) !== undefined
  }

  hide({ valueFrom, valueTo, cutFrom, cutTo }: Member, depth: number): void {
    const rule = this.#ruleAt(depth) ?? 0
    const action = this.#actionOf(rule)
    const isText = this.#bytes[valueFrom] === QUOTE
    const text = isText
      ? this.#texts.plain(this.#bytes, valueFrom + 1, valueTo - 1)
      : Buffer.from(this.#bytes.subarray(valueFrom, valueTo)).toString('utf8')
    if (action.kind === 'cut') {
      if (this.#counts !== undefined) this.#count(rule)
      // The key may hold a value, too: its edit goes with it.
      while ((this.#edits.at(-1)?.from ?? -1) >= cutFrom) this.#edits.pop()
      this.#edits.push({ from: cutFrom, to: cutTo, text: '' })
    } else this.#hide(valueFrom, valueTo, rule, text, '"')
  }

  #ruleAt(depth: number): number | undefined {
    if (this.#columns.isEmpty) return undefined
    const last = depth - 1
    if (!this.#mayBeHidden(this.#keyFroms[last] ?? 0, this.#keyTos[last] ?? 0)) return undefined
    // Keys within arrays count like others.
    const names: string[] = []
    for (let i = 0; i < depth; i += 1) {
      const to = this.#keyTos[i] ?? -1
      if (to >= 0) names.push(this.#texts.plain(this.#bytes, this.#keyFroms[i] ?? 0, to))
    }
    return this.#columns.ruleOf(names.join('.'))
  }

  #mayBeHidden(from: number, to: number): boolean {
    if (this.#columns.mayBeKey(this.#bytes, from, to)) return true
    for (let i = from; i < to; i += 1) if (this.#bytes[i] === BACKSLASH) return true
    return false
  }

  /** Bytes that are no JSON: as text, and what stands behind the name of a hidden column is hidden
   *  to the end, since nobody knows where its value ends. */
  #broken(start: number, end: number): readonly Edit[] {
    const hits = this.#texts.find(this.#bytes, start, end, false)
    const named = this.#columns.firstNameEnd(this.#bytes.subarray(start, end))
    if (named !== undefined) {
      const from = start + named.at
      const text = this.#texts.plain(this.#bytes, from, end)
      hits.push({ from, to: end, rule: named.rule, text })
    } else if (!this.#columns.isEmpty && this.#hasEscapedKeys(start, end)) {
      // A name may be written by escapes.
      const rule = this.#columns.firstRule
      hits.push({ from: start, to: end, rule, text: this.#texts.plain(this.#bytes, start, end) })
    }
    this.#hideHits(mergeHits(hits))
    return this.#edits
  }

  #hasEscapedKeys(start: number, end: number): boolean {
    const plain = this.#texts.plain(this.#bytes, start, end)
    return this.#columns.firstNameEnd(Buffer.from(plain, 'utf8')) !== undefined
  }

  #hideHits(hits: readonly Hit[]): void {
    for (const { from, to, rule, text } of hits) this.#hide(from, to, rule, text, '')
  }

  #hide(from: number, to: number, rule: number, text: string, quote: '' | '"'): void {
    const shown = this.#replacement(rule, text)
    this.#edits.push({ from, to, text: `${quote}${shown}${quote}` })
  }

  #replaceIn(from: number, to: number, hits: readonly Hit[]): string {
    const edits = hits.map((hit) => ({ ...hit, text: this.#replacement(hit.rule, hit.text) }))
    return applyEdits(this.#bytes, from, to, edits).toString('utf8')
  }

  #replacement(rule: number, text: string): string {
    if (this.#counts !== undefined) this.#count(rule)
    const action = this.#actionOf(rule)
    if (action.kind === 'cut') return ''
    if (action.kind === 'replace') return action.text
    if (this.#keepsHashes && HASHED.test(text)) return text
    const target = this.#rules[rule]?.target
    return this.#hash(target === undefined ? text : canonicalValue(target, text))
  }

  #actionOf(rule: number): MaskAction {
    return this.#rules[rule]?.action ?? { kind: 'cut' }
  }

  #count(rule: number): void {
    if (this.#counts !== undefined) this.#counts[rule] = (this.#counts[rule] ?? 0) + 1
  }
}

/** The bytes from `start` to `end` with the edits. */
export function applyEdits(
  bytes: Uint8Array,
  start: number,
  end: number,
  edits: readonly Edit[],
): Buffer {
  const pieces: Uint8Array[] = []
  let at = start
  for (const { from, to, text } of edits) {
    if (from < at) continue
    pieces.push(bytes.subarray(at, from), Buffer.from(text, 'utf8'))
    at = to
  }
  pieces.push(bytes.subarray(at, end))
  return Buffer.concat(pieces)
}
