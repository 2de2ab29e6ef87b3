// One area of the database in memory, replaced as a whole when its version rises. Loads of one area
// never overlap.
import type { Transaction } from 'kysely'
import type { Database } from '../database/port.ts'
import type { ChangeArea, Tables } from '../database/tables.ts'
import { readVersions } from './counters.ts'

export class Cached<T> {
  readonly area: ChangeArea
  readonly #load: (transaction: Transaction<Tables>, before: T, beforeVersion: number) => Promise<T>
  #version = 0
  #value: T
  #loading: Promise<void> | undefined

  /** `load` gets what is in memory and its version, and gives the new value; it may read only the
   *  difference. */
  constructor(
    area: ChangeArea,
    empty: T,
    load: (transaction: Transaction<Tables>, before: T, beforeVersion: number) => Promise<T>,
  ) {
    this.area = area
    this.#value = empty
    this.#load = load
  }

  get version(): number {
    return this.#version
  }

  get value(): T {
    return this.#value
  }

  /** Resolves when memory is at `version` or later. */
  async reach(database: Database, version: number): Promise<void> {
    while (this.#version < version) {
      this.#loading ??= database
        .snapshot((transaction) => this.refresh(transaction))
        .finally(() => {
          this.#loading = undefined
        })
      await this.#loading
    }
  }

  /** Brings memory to what this transaction saw when it began: before its own writes. */
  async refresh(transaction: Transaction<Tables>): Promise<void> {
    const version = (await readVersions(transaction))[this.area]
    if (version <= this.#version) return
    const value = await this.#load(transaction, this.#value, this.#version)
    if (version <= this.#version) return
    this.#value = value
    this.#version = version
  }
}
