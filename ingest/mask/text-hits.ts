// The values in one text (a string of JSON, or a line): found in the text as it stands and behind
// each round of escapes, told by where they stand in the bytes that were given.
import type { Found, ValueFinder } from './find-values.ts'
import { PlainView } from './plain-view.ts'

/** `text`: what it is, without escapes. */
export type Hit = { from: number; to: number; readonly rule: number; text: string }

/** JSON within JSON within JSON. */
const ROUNDS = 4

export class TextHits {
  readonly #finder: ValueFinder
  #view = new PlainView()
  #spare = new PlainView()

  constructor(finder: ValueFinder) {
    this.#finder = finder
  }

  /** In order, none over another. `isJson`: one round of escapes is the text's own form. */
  find(bytes: Uint8Array, start: number, end: number, isJson: boolean): Hit[] {
    if (!this.#finder.mayHave(bytes, start, end)) return []
    const hits: Hit[] = []
    this.#view.take(bytes, start, end)
    if (isJson) this.#next('unescape')
    this.#collect(hits)
    for (let round = 0; round < ROUNDS && this.#next('unescape'); round += 1) this.#collect(hits)
    if (this.#next('unescapeAddress')) this.#collect(hits)
    return hits.length > 1 ? mergeHits(hits) : hits
  }

  /** The text without its own escapes. */
  plain(bytes: Uint8Array, start: number, end: number): string {
    this.#view.take(bytes, start, end)
    this.#next('unescape')
    return textOf(this.#view, 0, this.#view.length)
  }

  #next(how: 'unescape' | 'unescapeAddress'): boolean {
    if (!this.#spare[how](this.#view)) return false
    const view = this.#view
    this.#view = this.#spare
    this.#spare = view
    return true
  }

  #collect(hits: Hit[]): void {
    const { bytes, length, at } = this.#view
    for (const { from, to, rule } of this.#finder.find(bytes, 0, length) satisfies Found[])
      hits.push({ from: at[from] ?? 0, to: at[to] ?? 0, rule, text: textOf(this.#view, from, to) })
  }
}

/** What overlaps becomes one: hidden as the rule that begins first says. */
export function mergeHits(hits: readonly Hit[]): Hit[] {
  const sorted = [...hits].sort((a, b) => a.from - b.from || b.to - a.to || a.rule - b.rule)
  const merged: Hit[] = []
  for (const hit of sorted) {
    const last = merged.at(-1)
    if (last === undefined || hit.from >= last.to) merged.push({ ...hit })
    else if (hit.to > last.to) {
      last.to = hit.to
      last.text += hit.text
    }
  }
  return merged
}

function textOf({ bytes }: PlainView, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8')
}
