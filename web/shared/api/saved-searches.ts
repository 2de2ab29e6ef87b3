// Saved searches (/logeye/api/saved-searches).
import type {
  SavedSearch,
  SavedSearchesAnswer,
} from '../../../schemas/public-calls/saved-searches.ts'
import type { KeptGiven } from '../../../schemas/search-json/kept-search.ts'
import { call } from './call.ts'

const PATH = '/logeye/api/saved-searches'

export type SearchGiven = {
  readonly name?: string
  readonly description?: string
  readonly isShared?: boolean
  readonly search?: KeptGiven
}

export const listSearches = (
  parameters: { readonly find: string; readonly limit: number },
  signal: AbortSignal,
): Promise<SavedSearchesAnswer> => {
  const asked = new URLSearchParams({ find: parameters.find, limit: String(parameters.limit) })
  return call(`${PATH}?${asked}`, { signal })
}

export const readSearch = (id: number, signal: AbortSignal): Promise<SavedSearch> =>
  call(`${PATH}/${id}`, { signal })

export const addSearch = (body: SearchGiven & { readonly name: string }): Promise<SavedSearch> =>
  call(PATH, { body })

/** Empty where the user sees it no more. */
export const changeSearch = (
  { id, version }: Pick<SavedSearch, 'id' | 'version'>,
  change: SearchGiven,
): Promise<Partial<SavedSearch>> =>
  call(`${PATH}/${id}`, { method: 'PUT', body: { ...change, version } })

export const removeSearch = ({
  id,
  version,
}: Pick<SavedSearch, 'id' | 'version'>): Promise<unknown> =>
  call(`${PATH}/${id}?version=${version}`, { method: 'DELETE' })
