// What stages put into the statement besides their own SELECT: names, columns that a sub-select
// must hand up, numbers that are counted before the rest runs, and what the quick form of the
// statement has in another way.
//
// A sub-select hands up the plain columns of `events`, and whatever else later stages ask for
// (`carry`): a path of the JSON column read after a sub-select would take the whole JSON column
// through its sorting. What will be asked for is known when all stages are compiled, so the SELECT
// has a hole until `finish`; as has every place where the two forms differ.

import { EVENT_COLUMNS } from '../../../../schemas/event-row.ts'

/** Columns that every sub-select over events hands up under their own names. The engine drops those
 *  that nobody reads. */
const PLAIN: readonly string[] = EVENT_COLUMNS.filter(({ name }) => name !== 'policy').map(
  ({ name }) => (name === 'index' ? '`index`' : name),
)
const PLAIN_SET: ReadonlySet<string> = new Set(PLAIN)

/** No path or parameter in the statement can hold this character (column-sql.ts). */
const HOLE = '\u0001'

/** `quick`: the same rows in less time, as a rule, or a failure (SEVERAL_SPELLINGS_CODE). */
type Form = 'quick' | 'whole'

/** One sub-select over events. */
export type Layer = {
  /** What its SELECT gives: complete after `finish`. */
  readonly columns: string
  /** The name after the sub-select of an expression inside it. */
  carry(sql: string): string
}

export class SubSelects {
  /** Texts that are known, or chosen, when the statement is finished. */
  readonly #holes: ((form: Form) => string)[] = []
  readonly #scalars: string[] = []
  #names = 0
  #hasQuick = false

  /** A column name that stands nowhere else in the statement. */
  name(): string {
    this.#names += 1
    return `x${this.#names}`
  }

  open(): Layer {
    const carried = new Map<string, string>()
    const more = () => [...carried].map(([inner, name]) => `, ${inner} AS ${name}`).join('')
    return {
      columns: `${PLAIN.join(', ')}${this.#hole(more)}`,
      carry: (sql) => {
        if (PLAIN_SET.has(sql) || /^'[^'\\]*'$/.test(sql)) return sql
        let name = carried.get(sql)
        if (name === undefined) {
          name = this.name()
          carried.set(sql, name)
        }
        return name
      },
    }
  }

  /** The name of a number that `select` gives, worked out once before the statement runs: for
   *  LIMIT, and for what it decides. */
  scalar(select: string): string {
    const known = this.#scalars.indexOf(select)
    if (known >= 0) return `n${known + 1}`
    this.#scalars.push(select)
    return `n${this.#scalars.length}`
  }

  /** One of two texts. */
  either(texts: Readonly<Record<Form, string>>): string {
    this.#hasQuick = true
    return this.#hole((form) => texts[form])
  }

  /** The quick statement is another than the whole one. */
  get hasQuick(): boolean {
    return this.#hasQuick
  }

  finish(sql: string, form: Form = 'whole'): string {
    const scalars = this.#scalars.map((select, index) => `(${select}) AS n${index + 1}`)
    return this.#fill(scalars.length === 0 ? sql : `WITH ${scalars.join(', ')} ${sql}`, form)
  }

  #hole(text: (form: Form) => string): string {
    this.#holes.push(text)
    return `${HOLE}${this.#holes.length - 1}${HOLE}`
  }

  /** What fills a hole may have others. */
  #fill(sql: string, form: Form): string {
    return sql
      .split(HOLE)
      .map((part, index) =>
        index % 2 === 0 ? part : this.#fill(this.#textOf(Number(part), form), form),
      )
      .join('')
  }

  #textOf(hole: number, form: Form): string {
    const text = this.#holes[hole]
    if (!text) throw new TypeError('a hole of another statement')
    return text(form)
  }
}
