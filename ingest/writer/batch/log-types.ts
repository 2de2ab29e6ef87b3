// What types the events of one log name during one batch (decision 3.9). The words that the log
// lacks are noted, and recorded before the rows are stored.
import {
  lacksRoomForWords,
  newTypeWords,
  wordsOfType,
} from '../../../schemas/templates/template.ts'

/** Senders choose what stands in `productType`. */
const MAX_MET = 1000

export class LogTypes {
  #known: readonly string[]
  #words: string[] = []
  #last = ''
  #isFull = false
  readonly #met = new Set<string>()

  /** `known`: the words that the log has. */
  constructor(known: readonly string[]) {
    this.#known = known
  }

  /** Words that are not recorded. */
  get added(): readonly string[] {
    return this.#words
  }

  /** Events named words for which the log has no room. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** `typeWords`: as an event names them. */
  meet(typeWords: string): void {
    if (typeWords === this.#last) return
    this.#last = typeWords
    if (this.#met.has(typeWords)) return
    if (this.#met.size >= MAX_MET) this.#met.clear()
    this.#met.add(typeWords)
    const met = wordsOfType(typeWords)
    this.#words.push(...newTypeWords([...this.#known, ...this.#words], met))
    if (lacksRoomForWords([...this.#known, ...this.#words], met)) this.#isFull = true
  }

  /** The log was made meanwhile, and has these. */
  settle(known: readonly string[]): void {
    this.#known = known
    this.#words = newTypeWords(known, this.#words)
  }
}
