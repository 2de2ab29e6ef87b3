// Bound parameters: the only way for a text from outside into SQL. Equal values share one
// placeholder.
import { Failure } from '../../../schemas/failures.ts'

/** Conditions that are worked out row by row; the store's memory for planning them is bounded. */
const MAX_CONDITIONS = 1000
/** The engine writes repetitions out and does not look for a cancel meanwhile. */
const MAX_REPEATS = 5000

export type ParamType =
  | 'String'
  | 'Int64'
  | 'UInt64'
  | 'Float64'
  | 'Array(UInt32)'
  | 'Array(UInt64)'
  | 'Array(String)'
  | 'Array(Array(String))'

/** The index of logs is asked for as few logs as these: for more it leaves hardly a block, and
 *  asking costs 3 µs for each. */
export const FEW_LOGS = 8

export class SqlParams {
  readonly #values: Record<string, unknown> = {}
  readonly #names = new Map<string, string>()
  #conditions = 0
  #repeats = 0
  #readsTexts = false
  #asksIdentifiers = false
  readonly #readLogs: (readonly number[])[] = []

  /** The placeholder. */
  add(
    value: string | number | readonly (string | number | readonly string[])[],
    type: ParamType,
  ): string {
    const key = `${type}:${JSON.stringify(value)}`
    let name = this.#names.get(key)
    if (name === undefined) {
      name = `p${this.#names.size}`
      this.#names.set(key, name)
      this.#values[name] = value
    }
    return `{${name}:${type}}`
  }

  text(value: string): string {
    return this.add(value, 'String')
  }

  /** Refuses a query of too many conditions. */
  countConditions(count: number): void {
    this.#conditions += count
    if (this.#conditions <= MAX_CONDITIONS) return
    const reason = `the query has more than ${MAX_CONDITIONS} conditions that no index answers`
    throw new Failure('search.resources', { reason })
  }

  /** Refuses a query whose regular expressions repeat too much (`[0-9]{200}`), in all. */
  countRepeats(count: number): void {
    this.#repeats += count
    if (this.#repeats <= MAX_REPEATS) return
    const reason = `the repetitions in the regular expressions of the query add up to more than ${MAX_REPEATS}`
    throw new Failure('search.resources', { reason })
  }

  /** Notes the ids of the logs of one read of a table. */
  noteLogs(ids: readonly number[]): void {
    this.#readLogs.push(ids)
  }

  /** Of each read. */
  get readLogs(): readonly (readonly number[])[] {
    return this.#readLogs
  }

  /** Logs of the read that is limited to the fewest; infinite when no read is limited. */
  get fewestLogs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#readLogs.map(({ length }) => length))
  }

  /** Notes that no index answers it whole: the texts of every event in scope are read. */
  countTexts(): void {
    this.#readsTexts = true
  }

  get readsTexts(): boolean {
    return this.#readsTexts
  }

  /** Notes that the indexes of identifiers are asked. */
  countIdentifiers(): void {
    this.#asksIdentifiers = true
  }

  get asksIdentifiers(): boolean {
    return this.#asksIdentifiers
  }

  /** Counted so far. */
  get conditions(): number {
    return this.#conditions
  }

  values(): Readonly<Record<string, unknown>> {
    return this.#values
  }
}
