// One path of the JSON column (or name in `id_names`) as SQL. Paths come from data: they may hold
// backticks, quotes, backslashes.
import { idSql } from '../../../../schemas/shown-columns.ts'
import type { Spelling } from '../../column-entries.ts'
import type { SqlParams } from '../sql-params.ts'

/**
 * Where a value may be found. `text`: a String, '' when missing. `double`: a Nullable(Float64).
 * Of the sources of one spelling at most one has a value in a row.
 */
export type ValueSource =
  | {
      readonly kind: 'text'
      readonly sql: string
      /** Most columns have few values or numbers: this one is for the others, and empty as a
       *  rule. */
      readonly isRare?: boolean
      /** Name of a number that is 0 where no row has anything here: `sql` is '' then, and reads
       *  nothing. */
      readonly guard?: string
      /** Every text in it reads as a number: one that is not written in its shortest form. */
      readonly isNumber?: boolean
    }
  | { readonly kind: 'double'; readonly sql: string }

/** `guard`: asked for the path of a rare source, in case it should be looked for first. */
export function spellingSources(
  { path, kinds }: Spelling,
  params: SqlParams,
  guard: (column: string) => string | undefined = () => undefined,
): ValueSource[] {
  const sources: ValueSource[] = []
  if (kinds.has('id')) sources.push({ kind: 'text', sql: idSql(params.text(path)) })
  const isText = kinds.has('text')
  const isNumber = kinds.has('number')
  if (!isText && !isNumber && !kinds.has('bool')) return sources
  if (!isPlainPath(path)) return [...sources, { kind: 'text', sql: lookedUp(path, params) }]
  const column = `columns.${quoteIdentifier(path)}`
  if (isText) {
    sources.push({ kind: 'text', sql: `ifNull(${column}.:\`LowCardinality(String)\`, '')` })
  }
  if (isText || isNumber) {
    const place = `${column}.:String`
    const text = `ifNull(${place}, '')`
    const guarded = guard(place)
    sources.push({
      kind: 'text',
      sql: guarded === undefined ? text : `if(${guarded}, ${text}, '')`,
      isRare: true,
      isNumber: !isText,
      ...(guarded === undefined ? {} : { guard: guarded }),
    })
  }
  if (isNumber) sources.push({ kind: 'double', sql: `${column}.:Float64` })
  if (kinds.has('bool')) {
    sources.push({ kind: 'text', sql: `ifNull(toString(${column}.:Bool), '')` })
  }
  return sources
}

/** A number's text as JSON.stringify prints it, '' for NULL. */
export function doubleText(sql: string): string {
  return `ifNull(replaceRegexpOne(toString(${sql}), 'e([0-9])', 'e+\\\\1'), '')`
}

/**
 * The engine reads some spellings as something else than a path: a type after `.:`, `^` and `@`
 * for sub-objects, `[]` for arrays; and an empty name is none. Those are looked up by value,
 * slower.
 */
function isPlainPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is kept out
  return path !== '' && !/\.:|(?:^|\.)[\^@:]|\[|[\u0000-\u001f\u007f]/.test(path)
}

function lookedUp(path: string, params: SqlParams): string {
  const place = `indexOf(JSONAllPaths(columns), ${params.text(path)})`
  return `if(${place} = 0, '', arrayElement(JSONAllValues(columns), ${place}))`
}

function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}
