// A part of a filter that no event passes: what may have been meant by it, tried at the store.
import { foldCase } from '../../../schemas/store/text-index.ts'
import { columnOf, suggestParts, wantsWords } from '../../language/advice/suggest-parts.ts'
import type { FilterInput, Statement } from '../../language/compile-filter.ts'
import { compileTexts, compileValues } from '../../language/compile-hints.ts'
import { printFilter } from '../../language/print/print-query.ts'
import type { ColumnRef, Filter } from '../../language/tree.ts'

type Asked = {
  readonly hint: (statement: Statement) => Promise<unknown[][] | undefined>
  readonly isEmpty: (filter: Filter) => Promise<boolean>
}

/** `filter` undefined: nothing like it finds anything, it can only be left out. */
type DescribedPart = {
  readonly message: string
  readonly nearest: string | null
  readonly filter: Filter | undefined
}

/** The newest events, and bytes of each. */
const HELD = { count: 2000, bytes: 2000 }
const WORD = /[\p{L}\p{N}_]+/gu

/** `around`: all events of the scopes of the part. */
export async function describePart(
  leaf: Filter,
  around: FilterInput,
  asked: Asked,
): Promise<DescribedPart> {
  const alone = `no event in the time window passes '${printFilter(leaf)}' alone`
  const column = columnOf(leaf)
  const words = wantsWords(leaf) ? await readWords(around, asked) : []
  const values = column === undefined ? [] : await readValues(around, column, asked)
  for (const { filter, hint, nearest } of suggestParts(leaf, { words, values })) {
    if (await asked.isEmpty(filter)) continue
    return { message: `${alone}${hint}`, nearest, filter }
  }
  return { message: `${alone}: leave it out`, nearest: null, filter: undefined }
}

async function readWords(around: FilterInput, { hint }: Asked): Promise<readonly string[]> {
  const rows = (await hint(compileTexts({ ...around, ...HELD }))) ?? []
  return [...new Set(rows.flatMap(([text]) => foldCase(String(text)).match(WORD) ?? []))]
}

async function readValues(
  around: FilterInput,
  column: ColumnRef,
  { hint }: Asked,
): Promise<readonly string[]> {
  const values = compileValues({ ...around, ...HELD, column })
  if (values === undefined) return []
  if (!('sql' in values)) return [...new Set(values)]
  return ((await hint(values)) ?? []).map(([text]) => String(text))
}
