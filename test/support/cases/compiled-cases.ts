// Case files of compiled queries: the SQL with its parameters, and the rows on the sample events.
// Written anew with LOGEYE_WRITE_CASES=1: read every difference, it is the claim of the test.
import { writeFileSync } from 'node:fs'
import type { CompiledSearch } from '../../../query/language/compiled.ts'
import type { Answer } from '../reference/run/evaluate.ts'
import { type Case, readCases } from './read-cases.ts'

const FILE = 'language/compiled.txt'
const SOURCES = ['language/examples.txt', 'language/public.txt']
/** Rows in the file; the test compares all with the reference evaluator. */
const SHOWN_ROWS = 4

export type CompiledCase = Pick<Case, 'name' | 'input'> & {
  readonly sql: string
  readonly rows: string
}

/** The example queries, and those of the public pages. */
export function exampleQueries(): Pick<Case, 'name' | 'input'>[] {
  return SOURCES.flatMap((file) => readCases(file).map(({ name, input }) => ({ name, input })))
}

export function readCompiledCases(): CompiledCase[] {
  return readCases(FILE).map(({ name, input, result }) => {
    const [sql = '', rows = ''] = result.split('\n==> rows\n')
    return { name, input, sql: sql.replace(/^sql\n/, ''), rows }
  })
}

export function writeCompiledCases(cases: readonly CompiledCase[]): void {
  const blocks = cases.map(
    ({ name, input, sql, rows }) => `# ${name}\n${input}\n==> sql\n${sql}\n==> rows\n${rows}\n`,
  )
  writeFileSync(new URL(`../../cases/${FILE}`, import.meta.url), blocks.join('\n'))
}

/** The statement, then a parameter a line. */
export function printSql({ sql, params }: Pick<CompiledSearch, 'sql' | 'params'>): string {
  const lines = Object.entries(params).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [sql, ...lines].join('\n')
}

/** Header and the first rows, cells as JSON without its quotes. */
export function printRows({ columns, rows }: Answer): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell) => JSON.stringify(cell).slice(1, -1)).join(' | ')
  const more = rows.length > SHOWN_ROWS ? [`(${rows.length} rows)`] : []
  return [columns, ...rows.slice(0, SHOWN_ROWS)].map(line).concat(more).join('\n').trimEnd()
}
