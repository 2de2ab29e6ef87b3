// What one name of a path may be, as a set of states: the work is at most the characters of the name
// by the states of the pattern. As a regular expression, five `*` take a minute for one name
// (docs/decisions/0037).

/** A state takes a character and goes to the next one, or goes on to others without one. `next`:
 *  relative, so that parts can be put together in any order. */
type State = { readonly takes?: (character: string) => boolean; readonly next: readonly number[] }

export type NamePart = readonly State[]

export const one = (takes: (character: string) => boolean): NamePart => [{ takes, next: [1] }]

export const text = (characters: string): NamePart =>
  [...characters].flatMap((wanted) => one((character) => character === wanted))

export const optional = (part: NamePart): NamePart => [{ next: [1, part.length + 1] }, ...part]

/** Once or more. */
export const repeated = (part: NamePart): NamePart => [...part, { next: [-part.length, 1] }]

export const either = (first: NamePart, ...others: readonly NamePart[]): NamePart => {
  if (others.length === 0) return first
  const [second = [], ...more] = others
  const rest = either(second, ...more)
  return [{ next: [1, first.length + 2] }, ...first, { next: [rest.length + 1] }, ...rest]
}

export class NamePattern {
  readonly #states: NamePart
  /** The round in which a state was entered last. */
  readonly #entered: Uint32Array
  #round = 0
  /** States that were entered, since the pattern was made. */
  steps = 0

  constructor(parts: readonly NamePart[]) {
    this.#states = parts.flat()
    this.#entered = new Uint32Array(this.#states.length + 1)
  }

  test(name: string): boolean {
    let states = this.#closure([0])
    for (const character of name) {
      const next: number[] = []
      for (const state of states)
        if (this.#states[state]?.takes?.(character) === true) next.push(state + 1)
      states = this.#closure(next)
      if (states.length === 0) return false
    }
    return states.includes(this.#states.length)
  }

  /** With those that are reached without a character; each once. */
  #closure(states: number[]): readonly number[] {
    this.#round = this.#round === 2 ** 32 - 1 ? this.#restart() : this.#round + 1
    const reached: number[] = []
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      if (this.#entered[state] === this.#round) continue
      this.#entered[state] = this.#round
      this.steps += 1
      const { takes, next = [] } = this.#states[state] ?? {}
      if (takes !== undefined || state === this.#states.length) reached.push(state)
      else for (const offset of next) states.push(state + offset)
    }
    return reached
  }

  #restart(): number {
    this.#entered.fill(0)
    return 1
  }
}
