// The statement of a foreign query whose rows come whole, or cut where they are large: a cell of a
// gigabyte does not leave its server (docs/decisions/0124).
import type { FieldDef } from 'pg'
import { RemoteFault } from '../../outbound/remote-fault.ts'

export const MAX_ROW_BYTES = 1024 * 1024
/** Of all cells of a row that is larger; six bytes each in JSON at most. */
const CUT_CHARACTERS = 128 * 1024

const VARIABLE_LENGTH = -1
const BYTEA = 17
/** Their own text, of which the server knows the length without reading it. */
const TEXTS = new Set([25, 1043])

/** Of a cell, in a row with so many that can be large. */
export function mostCharacters(cells: number): number {
  return Math.floor(CUT_CHARACTERS / Math.max(1, cells))
}

export type CutQuery = {
  /** With $1 for the mark, or without. */
  readonly inner: string
  readonly fields: readonly Pick<FieldDef, 'name' | 'dataTypeID' | 'dataTypeSize'>[]
  readonly markColumn: string
  /** Parameter with the mark. */
  readonly after: string
}

/** The columns of the query, then whether the mark is that of the row before, then, of a row that
 *  is cut, the bytes of the cells that are, as texts in the server's encoding, `{12,NULL,…}`. Fails
 *  with RemoteFault. */
export function printCutQuery({ inner, fields, markColumn, after }: CutQuery): string {
  const cells = fields.map((field, at) => ({ ...field, column: `marked_rows.c${at}`, at }))
  const mark = findMark(cells, markColumn)
  const large = cells.filter(({ dataTypeSize }) => dataTypeSize === VARIABLE_LENGTH)
  const most = mostCharacters(large.length)
  const isLarge = `sizes.bytes > ${MAX_ROW_BYTES}`
  const texts: string[] = []
  const sizes = new Map<number, string>()
  const cuts = new Map<number, string>()
  const shown = cells.map(({ column, at, dataTypeID, dataTypeSize }) => {
    if (dataTypeSize !== VARIABLE_LENGTH) return column
    if (dataTypeID === BYTEA) {
      sizes.set(at, `octet_length(${column})::bigint * 2 + 2`)
      cuts.set(at, `octet_length(${column}) > ${most >> 1}`)
      const begin = `'\\x' || encode(substr(${column}, 1, ${most >> 1}), 'hex')`
      return `CASE WHEN ${isLarge} THEN ${begin} ELSE ${printed(column)} END`
    }
    if (TEXTS.has(dataTypeID)) {
      sizes.set(at, `octet_length(${column})`)
      return cut(column, at)
    }
    texts.push(`${printed(column)} AS c${at}`)
    sizes.set(at, `octet_length(texts.c${at})`)
    return cut(`texts.c${at}`, at)
  })
  function cut(text: string, at: number): string {
    cuts.set(at, `length(${text}) > ${most}`)
    return `CASE WHEN ${isLarge} THEN left(${text}, ${most}) ELSE ${text} END`
  }
  const all = [...sizes.values()].map((size) => `coalesce(${size}, 0)::bigint`)
  const each = cells.map(({ at }) =>
    sizes.has(at) ? `CASE WHEN ${cuts.get(at)} THEN ${sizes.get(at)} END` : 'NULL',
  )
  // OFFSET 0: computed once a row.
  return `SELECT ${shown.join(', ')},
      ${mark} = lag(${mark}) OVER (ORDER BY ${mark}),
      CASE WHEN ${isLarge} THEN ARRAY[${each.join(', ')}]::bigint[] END
    FROM (${inner}\n) AS marked_rows (${cells.map(({ at }) => `c${at}`).join(', ')})
      CROSS JOIN LATERAL (SELECT ${['1 AS one', ...texts].join(', ')} OFFSET 0) AS texts
      CROSS JOIN LATERAL (SELECT ${['0', ...all].join(' + ')} AS bytes OFFSET 0) AS sizes
    WHERE ${mark} > ${after} ORDER BY ${mark}`
}

/** As the server writes it; a row of NULLs is one, too. */
function printed(column: string): string {
  return `CASE WHEN num_nulls(${column}) = 0 THEN format('%s', ${column}) END`
}

function findMark(
  cells: readonly { readonly name: string; readonly column: string }[],
  markColumn: string,
): string {
  const [mark, other] = cells.filter(({ name }) => name === markColumn)
  if (mark === undefined)
    throw new RemoteFault(`the query is refused: its column ${markColumn} does not exist`)
  if (other !== undefined)
    throw new RemoteFault(`the query is refused: it gives two columns ${markColumn}`)
  return mark.column
}
