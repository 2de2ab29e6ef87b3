// Which key of an event a rule by column means: the last names of a path, in any letter case, so
// that `password` is hidden at every depth and `user.password` only below `user`.
import { BACKSLASH, QUOTE } from './bytes.ts'

export type ColumnRule = { readonly path: string; readonly rule: number }

const SMALL = 0x20

export class ColumnRules {
  readonly #rules: readonly ColumnRule[]
  readonly #lastNames: readonly Uint8Array[]
  /** Bytes with which such a name may end: 1. A key with escapes is looked at closer anyway. */
  readonly #lastBytes = new Uint8Array(256)

  constructor(rules: readonly ColumnRule[]) {
    this.#rules = rules
    this.#lastNames = rules.map(({ path }) => Buffer.from(path.split('.').at(-1) ?? '', 'utf8'))
    this.#lastBytes.fill(1, 128)
    for (const name of this.#lastNames) {
      const last = name.at(-1) ?? 0
      this.#lastBytes[last] = 1
      this.#lastBytes[String.fromCharCode(last).toUpperCase().charCodeAt(0) & 255] = 1
    }
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  get firstRule(): number {
    return this.#rules[0]?.rule ?? 0
  }

  /** `path`: the keys of the place, joined by dots. */
  ruleOf(path: string): number | undefined {
    const small = path.toLowerCase()
    const found = this.#rules.find(
      ({ path: last }) =>
        small === last || (small.endsWith(last) && small.at(-last.length - 1) === '.'),
    )
    return found?.rule
  }

  /** Whether a key that ends before the colon at `at` may be of a rule; escapes are told apart by
   *  others. */
  mayEndAt(bytes: Uint8Array, start: number, at: number): boolean {
    let quote = at - 1
    while (quote > start && (bytes[quote] ?? 0) <= 0x20) quote -= 1
    return bytes[quote] === QUOTE && this.mayBeKey(bytes, start, quote)
  }

  /** Whether the key that ends before `end` has the last name of a rule. */
  mayBeKey(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#lastBytes[bytes[end - 1] ?? 0] !== 1) return false
    for (const name of this.#lastNames) if (endsWith(bytes, start, end, name)) return true
    return false
  }

  /** Of bytes that are no JSON: behind the first name of a rule. */
  firstNameEnd(bytes: Uint8Array): { at: number; rule: number } | undefined {
    const text = Buffer.from(bytes).toString('latin1').toLowerCase()
    let first: { at: number; rule: number } | undefined
    for (const [i, name] of this.#lastNames.entries()) {
      const at = text.indexOf(Buffer.from(name).toString('latin1'))
      const rule = this.#rules[i]?.rule ?? 0
      if (at >= 0 && (first === undefined || at + name.length < first.at))
        first = { at: at + name.length, rule }
    }
    return first
  }
}

function endsWith(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start < name.length) return false
  for (let i = 1; i <= name.length; i += 1) {
    const byte = bytes[end - i] ?? 0
    const wanted = name[name.length - i] ?? 0
    if (byte === wanted) continue
    // A letter beyond ASCII in another case is looked at closer.
    if (byte > 127 || wanted > 127) return true
    const isLetter = wanted >= 0x61 && wanted <= 0x7a
    if (!isLetter || (byte | SMALL) !== wanted) return byte === BACKSLASH
  }
  return true
}
