// The columns that `transpose` makes depend on the data: their names are asked for before the
// search is compiled to its end.

import { Failure } from '../../../../schemas/failures.ts'

/** Thrown where names are not known yet; columnsQuery catches it. */
export class NamesWanted extends Failure {
  /** A SELECT of one String column `name`, in order. */
  readonly select: string

  constructor(select: string) {
    super('search.query', { position: 1, reason: 'transpose is not supported here' })
    this.select = select
  }
}

export class TransposedNames {
  readonly #known: readonly (readonly string[])[]
  #asked = 0

  /** Names of the transposes in the order in which they are compiled, as far as they have been
   *  asked for. */
  constructor(known: readonly (readonly string[])[]) {
    this.#known = known
  }

  /** The names that the SELECT gave. */
  next(select: string): readonly string[] {
    const names = this.#known[this.#asked]
    this.#asked += 1
    if (!names) throw new NamesWanted(select)
    return names
  }
}
