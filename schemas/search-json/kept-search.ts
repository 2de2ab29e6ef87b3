// A search that somebody keeps: what the search page shows of it. Logs stand in the scope of its
// query.
import { z } from 'zod'
import { timeFrame } from '../dashboards/time-frame.ts'
import { objectNameSchema } from '../users.ts'

const MAX_QUERY_CHARACTERS = 32_768
const MAX_COLUMN_CHARACTERS = 1024

const column = z.string().min(1).max(MAX_COLUMN_CHARACTERS)

export const keptSearch = z
  .strictObject({
    query: z.string().max(MAX_QUERY_CHARACTERS).default(''),
    time: timeFrame
      .default({ interval: 'last60Minutes' })
      .meta({ description: 'Relative times stay relative.' }),
    timeZone: z
      .string()
      .max(64)
      .default('')
      .meta({ description: 'IANA name; empty: that of the system.' }),
    columns: z.array(column).max(50).default([]).meta({ description: 'Shown beside the message.' }),
    splitBy: z
      .union([z.literal(''), column])
      .nullable()
      .default(null)
      .meta({ description: 'Column that splits the histogram; null: the level; empty: none.' }),
    view: z
      .enum(['events', 'shapes', 'table', 'chart'])
      .nullable()
      .default(null)
      .meta({ description: 'Null: what fits the query.' }),
    isWrapped: z.boolean().default(false),
    isCompared: z.boolean().default(false).meta({ description: 'Beside an earlier time.' }),
    comparedWith: z.enum(['before', 'week']).default('before').meta({
      description: 'As long a time right before, or the same time a week earlier.',
    }),
  })
  .meta({ id: 'KeptSearch' })

export type KeptSearch = z.infer<typeof keptSearch>

export const savedSearchName = objectNameSchema
export const savedSearchDescription = z.string().trim().max(2000)

/** As a page gives it: the server checks names of intervals, and refuses times that do not go
 *  together. */
export type KeptGiven = Omit<KeptSearch, 'time'> & {
  readonly time: { readonly interval?: string; readonly start?: string; readonly end?: string }
}
