// Parameters and answers of the calls of saved searches.
import { z } from 'zod'
import { keptSearch, savedSearchDescription, savedSearchName } from '../search-json/kept-search.ts'
import { removedParameters } from './dashboards.ts'

const version = z.int().min(1).meta({ description: 'Rises with every change.' })

export const savedSearch = z
  .strictObject({
    id: z.int().min(1),
    name: z.string(),
    description: z.string(),
    isShared: z.boolean().meta({ description: 'Everybody who signs in may open it.' }),
    owner: z.string().meta({ description: 'User name; empty: the user is gone.' }),
    isOwn: z.boolean(),
    mayChange: z
      .boolean()
      .meta({ description: 'The owner; of a shared one also an administrator.' }),
    version,
    changedAt: z.string().meta({ description: 'ISO 8601 in UTC.' }),
    search: keptSearch,
  })
  .meta({ id: 'SavedSearch' })

export const savedSearchesParameters = z.strictObject({
  find: z
    .string()
    .max(1024)
    .optional()
    .meta({ description: 'Stands in name, description, query or owner; letter case is ignored.' }),
  limit: z.int().min(1).max(1000).optional().meta({ description: 'Default 200.' }),
})

export const savedSearchesAnswer = z.strictObject({
  searches: z.array(savedSearch).meta({ description: 'Own ones first, each by name.' }),
  total: z.int().min(0).meta({ description: 'That were found, also beyond `limit`.' }),
})

export const savedSearchAdded = z.strictObject({
  name: savedSearchName,
  description: savedSearchDescription.optional(),
  isShared: z.boolean().optional().meta({ description: 'Default false.' }),
  search: keptSearch,
})

export const savedSearchChanged = z.strictObject({
  version: removedParameters.shape.version.unwrap(),
  name: savedSearchName.optional(),
  description: savedSearchDescription.optional(),
  isShared: z.boolean().optional(),
  search: keptSearch.optional(),
})

export type SavedSearch = z.infer<typeof savedSearch>
export type SavedSearchesAnswer = z.infer<typeof savedSearchesAnswer>
