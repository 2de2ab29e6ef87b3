// The rules of one version of a listener account, made ready: what of its requests is hidden before
// anything is made of them (docs/decisions/0088).
import type { Rejection } from '../../schemas/block/schema.ts'
import { parseMaskPattern } from '../../schemas/masking/mask-pattern.ts'
import type { Detector, MaskRule } from '../../schemas/masking/mask-rule.ts'
import { lineEnd } from '../split/line-span.ts'
import { ColumnRules } from './column-rules.ts'
import { PatternDetector } from './detectors/pattern.ts'
import {
  applyEdits,
  type Edit,
  type EventKind,
  EventMasker,
  type HashValue,
} from './event-masker.ts'
import { ValueFinder } from './find-values.ts'
import { TextHits } from './text-hits.ts'

export type { HashValue } from './event-masker.ts'

/** Keys of the body by the column that they become: a rule by a column hides its keys. */
export type ColumnKeys = {
  readonly message: readonly string[]
  readonly host: readonly string[]
}

const NO_KEYS: ColumnKeys = { message: [], host: [] }
const MESSAGE = 'message'
const HOST_COLUMNS = ['host', 'server']
const SOURCE_COLUMNS = ['source', 'file']
const MOST_PASSES = 4

export class Masker {
  readonly #finder: ValueFinder
  readonly #columns: ColumnRules
  readonly #masker: EventMasker
  readonly rules: readonly MaskRule[]

  constructor(rules: readonly MaskRule[], hash: HashValue, keys: ColumnKeys = NO_KEYS) {
    this.rules = rules
    const detectors: Partial<Record<Detector, number>> = {}
    const patterns: { detector: PatternDetector; rule: number }[] = []
    const columns: { path: string; rule: number }[] = []
    for (const [rule, { target }] of rules.entries()) {
      if (target.kind === 'detector') detectors[target.detector] ??= rule
      else if (target.kind === 'pattern') {
        const parts = parseMaskPattern(target.pattern)
        if (typeof parts !== 'string') patterns.push({ detector: new PatternDetector(parts), rule })
      } else for (const path of pathsOf(target.path, keys)) columns.push({ path, rule })
    }
    this.#columns = new ColumnRules(columns)
    this.#finder = new ValueFinder({ detectors, patterns, columns: this.#columns })
    this.#masker = new EventMasker(rules, new TextHits(this.#finder), this.#columns, hash)
  }

  /** False: the event in these bytes surely stays as it is. */
  mayHit(bytes: Uint8Array, start: number, end: number, kind: EventKind): boolean {
    if (kind !== 'json' && this.#columns.ruleOf(MESSAGE) !== undefined) return true
    if (kind === 'broken' && !this.#columns.isEmpty) return true
    return this.#finder.mayHave(bytes, start, end) || this.#isHiddenText(bytes, start)
  }

  /** As EventMasker. */
  edits(...given: Parameters<EventMasker['edits']>): readonly Edit[] {
    return this.#masker.edits(...given)
  }

  /** The event with what is hidden; undefined: it stays as it is. */
  mask(
    bytes: Uint8Array,
    event: { readonly start: number; readonly end: number; readonly kind: EventKind },
    options?: Parameters<EventMasker['edits']>[2],
  ): Buffer | undefined {
    const { start, end, kind } = event
    if (!this.mayHit(bytes, start, end, kind)) return undefined
    const first = this.#masker.edits(bytes, event, options)
    if (first.length === 0) return undefined
    let masked = applyEdits(bytes, start, end, first)
    // What a cut joins may be a value.
    const hasCuts = first.some(({ text }) => text === '')
    for (let pass = 1; hasCuts && pass < MOST_PASSES; pass += 1) {
      if (!this.#finder.mayHave(masked, 0, masked.length)) break
      const again = { start: 0, end: masked.length, kind }
      const edits = this.#masker.edits(masked, again, { keepsHashes: true })
      const isSame = edits.every(({ from, to, text }) => text === sliceText(masked, from, to))
      if (isSame) break
      masked = applyEdits(masked, 0, masked.length, edits)
    }
    return masked
  }

  host(text: string): string {
    return this.#masker.maskText(text, HOST_COLUMNS[0] ?? '')
  }

  source(text: string): string {
    return this.#masker.maskText(text, SOURCE_COLUMNS[0] ?? '')
  }

  /** A text alone is its message. */
  #isHiddenText(bytes: Uint8Array, start: number): boolean {
    return bytes[start] === 0x22 && this.#columns.ruleOf(MESSAGE) !== undefined
  }
}

/** How an accepted event stands in its body (split/line-span.ts). */
export function kindOfRange(
  body: Uint8Array,
  start: number,
  end: number,
): { kind: EventKind; end: number } {
  const line = lineEnd(body, start, end)
  return line === undefined ? { kind: 'json', end } : { kind: 'line', end: line }
}

/** Bytes that were rejected may be anything. */
export function kindOfRejection({ code }: Pick<Rejection, 'code'>): EventKind {
  return code === 'invalid_json' || code === 'too_large' ? 'broken' : 'json'
}

function pathsOf(path: string, keys: ColumnKeys): readonly string[] {
  const small = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())
  if (path === MESSAGE) return [path, ...small(keys.message)]
  if (HOST_COLUMNS.includes(path)) return [...HOST_COLUMNS, ...small(keys.host)]
  if (SOURCE_COLUMNS.includes(path)) return SOURCE_COLUMNS
  return [path]
}

function sliceText(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8')
}
