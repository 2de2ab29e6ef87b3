// What types the events of one log name during one batch (decision 3.9). The words that the log
// lacks are noted, and recorded before the rows are stored.
import { newTypeWords, wordsOfType } from '../../../schemas/templates/template.ts'

/** Senders choose what stands in `productType`. */
const MAX_MET = 1000

export class LogTypes {
  #known: readonly string[]
  #words: string[] = []
  #last = ''
  readonly #met = new Set<string>()

  /** `known`: the words that the log has. */
  constructor(known: readonly string[]) {
    this.#known = known
  }

  /** Words that are not recorded. */
  get added(): readonly string[] {
    return this.#words
  }

  /** `typeWords`: as an event names them. */
  meet(typeWords: string): void {
    if (typeWords === this.#last) return
    this.#last = typeWords
    if (this.#met.has(typeWords)) return
    if (this.#met.size >= MAX_MET) this.#met.clear()
    this.#met.add(typeWords)
    const all = [...this.#known, ...this.#words]
    this.#words.push(...newTypeWords(all, wordsOfType(typeWords)))
  }

  /** The log was made meanwhile, and has these. */
  settle(known: readonly string[]): void {
    this.#known = known
    this.#words = newTypeWords(known, this.#words)
  }
}
