// The text of a query as its tree, with what in it may have been meant otherwise.
import { isFailure } from '../../schemas/failures.ts'
import { checkQuery } from './check/check-query.ts'
import { MAX_CHECKED, offerRewritten } from './check/offer-rewritten.ts'
import { parseQuery } from './parse/parse-query.ts'
import { makeQueryCatalog } from './resolve/query-catalog.ts'
import type { ReadQuery, SearchInput } from './search-input.ts'

type Read = Pick<SearchInput, 'text' | 'read' | 'visibleLogs' | 'columns'>

/** Throws Failure `search.query` { position (from 1), reason }. */
export function readQuery({ text, read, visibleLogs, columns }: Read): ReadQuery {
  if (read !== undefined) return read()
  const catalog = makeQueryCatalog(visibleLogs, columns)
  const query = parseQuery(text, catalog)
  const canRead = (other: string) => {
    try {
      parseQuery(other, catalog)
      return true
    } catch (error) {
      if (!isFailure(error)) throw error
      return false
    }
  }
  const found = text.length > MAX_CHECKED ? [] : checkQuery(text, query, catalog)
  return { query, ...offerRewritten(text, found, canRead) }
}

/** The same input; whatever is made of it, its text is read once. */
export function readOnce<Input extends Read>(
  input: Input,
): Input & { readonly read: () => ReadQuery } {
  let known: ReadQuery | undefined
  return {
    ...input,
    read: () => {
      known ??= readQuery(input)
      return known
    },
  }
}
