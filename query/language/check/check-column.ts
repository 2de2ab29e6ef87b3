// A column of a query whose name none of its rows has. A bare name of several words is a column
// only where a log has it (decision 4.10); everything else that is not known warns.
import { builtInColumn } from '../built-in-columns.ts'
import type { ColumnNames } from '../column-names.ts'
import { nearestWord } from '../nearest-word.ts'
import { raiseQuery } from '../parse/raise-query.ts'
import type { ColumnRef } from '../tree.ts'
import { describeBareName } from './describe-bare-name.ts'
import type { Findings } from './findings.ts'
import { foreignColumn } from './foreign.ts'

export type CheckedRows = {
  readonly names: ColumnNames
  readonly isTable: boolean
  /** After `transpose` and `join` rows may have any columns. */
  readonly isOpen: boolean
}

/** Names that are looked through for a near one. */
const MAX_COMPARED = 20_000
const MAX_LISTED = 8

export class ColumnCheck {
  readonly #text: string
  readonly #everywhere: ColumnNames
  readonly #findings: Findings
  #left = MAX_COMPARED

  /** `everywhere`: the columns of all logs that the user may see. */
  constructor(text: string, everywhere: ColumnNames, findings: Findings) {
    this.#text = text
    this.#everywhere = everywhere
    this.#findings = findings
  }

  check(column: ColumnRef, rows: CheckedRows): void {
    const { name, origin, start } = column
    if (rows.isOpen || rows.names.has(name)) return
    if (origin === 'builtIn' && builtInColumn(name) !== undefined) return
    this.#refuseBare(column, rows)
    this.#findings.warn('query.unknown_column', this.#describe(name, rows), start)
  }

  /** A column that need not be there yet. */
  checkMade(column: ColumnRef, rows: CheckedRows): void {
    if (!rows.isOpen && !rows.names.has(column.name)) this.#refuseBare(column, rows)
  }

  #refuseBare(column: ColumnRef, rows: CheckedRows): void {
    if (!isBare(this.#text, column)) return
    const reason = describeBareName(column, this.#text, rows.names)
    if (reason !== undefined) raiseQuery(reason.text, reason.start)
  }

  #describe(name: string, { names, isTable }: CheckedRows): string {
    const foreign = foreignColumn(name)
    if (foreign !== undefined) return foreign
    if (name.endsWith(':') && names.has(name.slice(0, -1)))
      return `no log in scope has a column '${name}': it is written ${name.slice(0, -1)}, without a colon`
    const nearest = this.#nearest(name, names)
    const near = nearest === undefined ? '' : `, the nearest is '${nearest}'`
    if (isTable) {
      const listed = [...names.list()].slice(0, MAX_LISTED).join(', ')
      return `the rows have no column '${name}' here${near === '' ? `: they have ${listed}` : near}`
    }
    if (this.#everywhere.has(name))
      return `no log in scope has a column '${name}', only logs that are not searched here${near}`
    return `no log in scope has a column '${name}'${near}`
  }

  #nearest(name: string, names: ColumnNames): string | undefined {
    const known = names.list()
    const compared = known.length <= this.#left ? known : known.slice(0, this.#left)
    this.#left -= compared.length
    return nearestWord(name, compared)
  }
}

/** Neither in quotation marks nor with a backslash, with which somebody says that all of it is a
 *  name. */
function isBare(text: string, { start, end }: ColumnRef): boolean {
  return !/["\\]/.test(text.slice(start, end))
}
