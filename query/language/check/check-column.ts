// A column of a query whose name none of its rows has. A bare name of several words is a column
// only where a log has it (decision 4.10); everything else that is not known warns.
import { type BuiltInColumn, builtInColumn } from '../built-in-columns.ts'
import type { ColumnNames } from '../column-names.ts'
import { nearestName } from '../nearest-word.ts'
import { raiseQuery } from '../parse/raise-query.ts'
import { printColumn } from '../print/print-words.ts'
import type { KindsOf } from '../resolve/query-catalog.ts'
import type { ColumnRef } from '../tree.ts'
import { describeBareName } from './describe-bare-name.ts'
import { isHost } from './doubts/hidden-hosts.ts'
import type { Edit } from './edit.ts'
import type { Findings } from './findings.ts'
import { foreignColumn, sameColumn } from './foreign/foreign-words.ts'

export type CheckedRows = {
  readonly names: ColumnNames
  readonly kindsOf: KindsOf
  readonly isTable: boolean
  /** After `transpose` and `join` rows may have any columns. */
  readonly isOpen: boolean
}

/** Names that are looked through for a near one. */
const MAX_COMPARED = 20_000
const MAX_LISTED = 8
/** Nearly every event has a key of these names, which says the same. */
const ALIKE: ReadonlySet<BuiltInColumn> = new Set<BuiltInColumn>(['timestamp', 'message'])

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

  check(column: ColumnRef, rows: CheckedRows, use: ColumnUse = 'other'): void {
    const { name, origin, start } = column
    this.#warnOfHidden(column, rows)
    if (rows.isOpen || rows.names.has(name)) return
    if (origin === 'builtIn' && builtInColumn(name) !== undefined) return
    this.#refuseBare(column, rows)
    const [sign = '', bare = ''] = /^([-!+])(.+)$/.exec(name)?.slice(1) ?? []
    if (sign !== '') {
      this.#warnOfSign({ ...column, name: bare }, sign, rows, use)
      return
    }
    const { message, write } = this.#describe(name, rows)
    this.#findings.warn('query.unknown_column', message, start, renamed(column, write))
  }

  /** `app = cart`, where events have a key of this name. */
  #warnOfHidden(column: ColumnRef, rows: CheckedRows): void {
    const { name, origin, start, end } = column
    // Most events have one host, however it came: the store is asked.
    if (isHost(column)) return
    const builtIn = origin === 'any' ? builtInColumn(name) : undefined
    if (builtIn === undefined || ALIKE.has(builtIn) || rows.kindsOf(name).size === 0) return
    const write = `column.${name}`
    const message = `'${name}' is the built-in column ${builtIn}: what events hold themselves under this name is ${write}`
    this.#findings.warn('query.hidden_column', message, start, { start, end, text: write })
  }

  /** `-level = ERROR`, `order by -bytes`: without its sign it would say the opposite. `column`: its
   *  name without the sign. */
  #warnOfSign(column: ColumnRef, sign: string, rows: CheckedRows, use: ColumnUse): void {
    const { name, start, end } = column
    const write = rows.names.has(name) ? name : this.#describe(name, rows).write
    const text = write && withoutSign(printColumn({ ...column, name: write }), sign, use)
    const hint = text === undefined ? '' : `, it is written ${text}`
    const message = `no log in scope has a column '${sign}${name}'${hint}`
    const edit = text === undefined ? undefined : { start, end, text }
    this.#findings.warn('query.unknown_column', message, start, edit)
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

  /** `write`: the name that was meant. */
  #describe(name: string, { names, isTable }: CheckedRows): Described {
    const foreign = foreignColumn(name)
    if (foreign !== undefined) return { message: foreign, write: sameColumn(name) }
    if (name.endsWith(':') && names.has(name.slice(0, -1))) {
      const write = name.slice(0, -1)
      const message = `no log in scope has a column '${name}': it is written ${write}, without a colon`
      return { message, write }
    }
    const write = this.#nearest(name, names)
    const near = write === undefined ? '' : `, the nearest is '${write}'`
    if (isTable) {
      const listed = [...names.list()].slice(0, MAX_LISTED).join(', ')
      const has = near === '' ? `: they have ${listed}` : near
      return { message: `the rows have no column '${name}' here${has}`, write }
    }
    const elsewhere = this.#everywhere.has(name) ? ', only logs that are not searched here' : ''
    return { message: `no log in scope has a column '${name}'${elsewhere}${near}`, write }
  }

  #nearest(name: string, names: ColumnNames): string | undefined {
    const known = names.list()
    const compared = known.length <= this.#left ? known : known.slice(0, this.#left)
    this.#left -= compared.length
    return nearestName(name, compared)
  }
}

/** Where it stands. */
type ColumnUse = 'test' | 'order' | 'other'

function withoutSign(column: string, sign: string, use: ColumnUse): string | undefined {
  if (sign === '+') return column
  if (use === 'test') return `not ${column}`
  return use === 'order' && sign === '-' ? `${column} desc` : undefined
}

type Described = { readonly message: string; readonly write: string | undefined }

function renamed(column: ColumnRef, name: string | undefined): Edit | undefined {
  if (name === undefined || name === '') return undefined
  const { start, end } = column
  return { start, end, text: printColumn({ ...column, name }) }
}

/** Neither in quotation marks nor with a backslash, with which somebody says that all of it is a
 *  name. */
function isBare(text: string, { start, end }: ColumnRef): boolean {
  return !/["\\]/.test(text.slice(start, end))
}
