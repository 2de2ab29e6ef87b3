// Parameters of the JSON interface under /logeye/api/search: names, types and limits, written once
// for the check, the types and the OpenAPI document. Unlike widgetAPI.jsp it refuses unknown names:
// a slip of the finger must not become another search.
import { z } from 'zod'
import { FIXED_INTERVALS } from '../time/time-window.ts'

const MAX_QUERY_CHARACTERS = 32_768
const MAX_COLUMN_CHARACTERS = 1024

const whole = (least: number, most: number) => z.int().min(least).max(most)
const time = z.string().min(1).max(64)

const query = z
  .string()
  .refine((text) => [...text].length <= MAX_QUERY_CHARACTERS, {
    message: `must have at most ${MAX_QUERY_CHARACTERS} characters`,
  })
  .default('*')

const filter = query.meta({
  description: 'A filter of the search language with its scopes, without stages.',
  examples: ['timeout level = ERROR in folder.Web'],
})

/** Parameters of every call. */
const limits = {
  timeout: whole(1, 600_000)
    .optional()
    .meta({ description: "Milliseconds from receipt to answer; the default is the system's." }),
  searchId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'A name of yours by which the call can be cancelled while it runs.' }),
}

const window = {
  interval: z
    .enum(FIXED_INTERVALS)
    .optional()
    .meta({ description: 'Not together with start and end. The default is last24Hours.' }),
  start: time.optional().meta({
    description:
      'First moment: ISO 8601, a time in the system date format, or told from now such as -2h, now-5m, -1d@d, -PT2H. Needs end, unless it is told from now: then the default is now.',
    examples: ['-2h'],
  }),
  end: time.optional().meta({
    description: 'First moment after the window, written as start is. Needs start.',
  }),
  timeZone: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      description:
        "Of this call alone: times without a zone, days and buckets are read and shown in it. The default is the system's.",
      examples: ['Europe/Berlin'],
    }),
}

const column = z.string().min(1).max(MAX_COLUMN_CHARACTERS)
const eventId = z.string().min(1).max(200)

const buckets = whole(1, 1000)
  .default(60)
  .meta({ description: 'About so many buckets, when no step is given.' })
const step = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({
    description:
      'Length of a bucket as in `interval`: 15 minutes, 1 day. By default it follows from the window.',
    examples: ['1 hour'],
  })
const columns = z
  .array(column)
  .min(1)
  .max(20)
  .default(['log', 'host', 'source'])
  .meta({ description: 'Columns whose values are counted.' })

const values = whole(1, 100)
  .default(10)
  .meta({ description: 'The most frequent values of each column.' })

export const eventsParameters = z.strictObject({
  query: filter,
  ...window,
  limit: whole(1, 1000).default(100).meta({ description: 'Events of a page at most.' }),
  cursor: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .meta({ description: '`nextCursor` of the page before; keeps its window.' }),
  ...limits,
})

export const histogramParameters = z.strictObject({
  query: filter,
  ...window,
  step,
  buckets,
  by: column
    .optional()
    .meta({ description: 'Also counts each bucket by the values of this column.' }),
  limit: values,
  ...limits,
})

export const facetsParameters = z.strictObject({
  query: filter,
  ...window,
  columns,
  limit: values,
  ...limits,
})

export const overviewParameters = z.strictObject({
  query: filter,
  ...window,
  step,
  buckets,
  columns,
  limit: values,
  ...limits,
})

export const shapesParameters = z.strictObject({
  query: filter,
  ...window,
  limit: whole(1, 500).default(50).meta({ description: 'The most frequent shapes.' }),
  isCompared: z.boolean().default(true).meta({
    description:
      'Also looks at the time before, as long as the window: shapes of now alone are new.',
  }),
  ...limits,
})

const beside = whole(0, 1000).default(10)

export const contextParameters = z.strictObject({
  event: eventId.meta({ description: '`id` of an event.' }),
  among: z
    .enum(['log', 'source'])
    .default('log')
    .meta({ description: 'Events of the same log, or of the same host and source.' }),
  query: filter,
  before: beside.meta({ description: 'Events before it.' }),
  after: beside.meta({ description: 'Events after it.' }),
  ...limits,
})

export const tailParameters = z.strictObject({
  query: filter,
  lastEventId: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .meta({ description: 'Continues after this id. The header Last-Event-ID takes precedence.' }),
})

export const explainParameters = z.strictObject({
  query: query.meta({ description: 'A query of the search language, with or without stages.' }),
  ...window,
  ...limits,
})

export const queryParameters = z.strictObject({
  query: query.meta({ description: 'A query of the search language, with or without stages.' }),
  ...window,
  limit: whole(1, 10_000).default(1000).meta({ description: 'Rows at most.' }),
  ...limits,
})

export const completeParameters = z.strictObject({
  query: query.meta({ description: 'The text typed so far.' }),
  position: whole(0, 32_768)
    .optional()
    .meta({ description: 'Place of the cursor in UTF-16 units; by default the end.' }),
  ...window,
  limit: values,
  ...limits,
})
