// Answers of the JSON interface under /logeye/api/search, inside the envelope of all our JSON
// (decision 5.3).
import { z } from 'zod'
import { warningSchema } from '../warning.ts'

const count = z.int().min(0)
const moment = z.string().meta({
  description: 'ISO 8601 in UTC, with as many digits as are not zero, at least milliseconds.',
  examples: ['2026-03-01T12:00:00.123Z'],
})
const text = z.string()

export const eventAnswer = z
  .strictObject({
    id: text.meta({ description: 'Stable and opaque.' }),
    timestamp: moment,
    received: moment,
    log: text,
    folder: text.meta({ examples: ['Web->Edge'] }),
    appTags: z.array(text),
    host: text,
    source: text,
    message: text,
    size: count.meta({
      description:
        'Bytes of the event as received; of what is shown where a policy hides values from the user.',
    }),
    columns: z
      .record(text, text)
      .meta({ description: 'Parsed columns as spelled in the event; values exactly as received.' }),
  })
  .meta({ id: 'Event' })

export const eventsAnswer = z
  .strictObject({
    data: z.array(eventAnswer).meta({ description: 'Newest first.' }),
    hasMore: z.boolean(),
    nextCursor: text.nullable(),
    tailId: text.meta({
      description:
        'As lastEventId of tail: what arrives after the newest page, without gap or repetition.',
    }),
  })
  .meta({ id: 'EventPage' })

const bucket = z.strictObject({
  start: moment,
  end: moment.meta({ description: 'First moment after it; the window may end earlier.' }),
  count,
})

const histogram = z
  .strictObject({
    start: moment.nullable().meta({ description: 'Of the window; null: open.' }),
    end: moment.nullable(),
    step: text.meta({ examples: ['15 minutes'] }),
    timeZone: text.meta({
      description: 'IANA name of the system time zone, whose calendar cuts the buckets.',
    }),
    buckets: z.array(bucket),
  })
  .meta({ id: 'Histogram' })

const series = z.strictObject({
  value: text,
  total: count,
  counts: z.array(count).meta({ description: 'One a bucket.' }),
})

const split = z
  .strictObject({
    column: text,
    isKnown: z.boolean(),
    series: z.array(series).meta({ description: 'The most frequent values first.' }),
    others: z
      .strictObject({ total: count, counts: z.array(count) })
      .meta({ description: 'Events of further values, and events without the column.' }),
    isExact: z.boolean(),
  })
  .meta({ id: 'HistogramSplit' })

export const histogramAnswer = z
  .strictObject({ total: count, histogram, split: split.nullable() })
  .meta({ id: 'HistogramAnswer' })

const facet = z
  .strictObject({
    column: text,
    isKnown: z.boolean().meta({ description: 'Whether a log in scope has the column.' }),
    values: z
      .array(z.strictObject({ value: text, count }))
      .meta({ description: 'The most frequent first, told apart without letter case.' }),
    distinct: count.meta({ description: 'Different values; at least so many when not exact.' }),
    others: count.meta({ description: 'Events of further values.' }),
    missing: count.meta({ description: 'Events without the column.' }),
    isExact: z.boolean().meta({
      description:
        'False: more than 100,000 values; counts may be too small, and others holds the rest.',
    }),
  })
  .meta({ id: 'Facet' })

export const facetsAnswer = z
  .strictObject({ total: count, facets: z.array(facet) })
  .meta({ id: 'FacetsAnswer' })

export const overviewAnswer = z
  .strictObject({ total: count, histogram, facets: z.array(facet) })
  .meta({ id: 'OverviewAnswer' })

const shape = z
  .strictObject({
    shape: text.meta({ examples: ['order <number> took <number>ms'] }),
    count,
    share: z.number().min(0).meta({ description: 'Of the events that were read.' }),
    first: moment.meta({ description: 'In the window.' }),
    last: moment,
    example: text.meta({ description: 'The newest message; of a long one its beginning.' }),
    query: text
      .nullable()
      .meta({ description: 'A test that finds these messages; null: it would be too long.' }),
    before: count
      .nullable()
      .meta({ description: 'Events of the time before; null: it was not looked at.' }),
    isNew: z.boolean().nullable().meta({ description: 'None of them in the time before.' }),
  })
  .meta({ id: 'Shape' })

export const shapesAnswer = z
  .strictObject({
    total: count.meta({ description: 'Events that the filter selects.' }),
    read: count.meta({ description: 'Of these the newest that were grouped.' }),
    distinct: count.meta({ description: 'Different shapes; at least so many when not exact.' }),
    isExact: z
      .boolean()
      .meta({ description: 'False: not all events or not all shapes could be told apart.' }),
    shapes: z.array(shape).meta({ description: 'The most frequent first.' }),
    others: count.meta({ description: 'Events of further shapes.' }),
    before: z
      .strictObject({ start: moment, end: moment, isExact: z.boolean() })
      .nullable()
      .meta({ description: 'The time before; null: not asked for, or the window is open.' }),
  })
  .meta({ id: 'ShapesAnswer' })

export const contextAnswer = z
  .strictObject({
    before: z.array(eventAnswer).meta({ description: 'Oldest first.' }),
    event: eventAnswer,
    after: z.array(eventAnswer).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'ContextAnswer' })

const reason = z
  .strictObject({
    code: z.enum([
      'no_log',
      'unknown_column',
      'silent_log',
      'outside_window',
      'empty_scope',
      'empty_part',
      'empty_together',
      'empty_stage',
      'no_match',
    ]),
    message: text,
    name: text.nullable().meta({ description: 'The log, scope or column that is meant.' }),
    nearest: text.nullable().meta({ description: 'A known name near to it.' }),
    lastEvent: moment.nullable().meta({ description: 'Of a log without events in the window.' }),
  })
  .meta({ id: 'Reason' })

export const explainAnswer = z
  .strictObject({
    query: text.meta({ description: 'Printed back as it was understood.' }),
    filter: text
      .nullable()
      .meta({ description: 'The same without its stages; null: the source is a transaction.' }),
    kind: z.enum(['events', 'table']),
    start: moment.nullable(),
    end: moment.nullable(),
    logs: z.strictObject({
      total: count,
      names: z.array(text).meta({ description: 'Full paths of logs in scope, at most 100.' }),
    }),
    columns: z
      .array(z.strictObject({ name: text, isKnown: z.boolean(), nearest: text.nullable() }))
      .meta({ description: 'Columns of the query.' }),
    rows: count.meta({ description: 'Rows of the result, at most 1,000.' }),
    rowsRead: count.nullable().meta({ description: 'Null for users who do not see every log.' }),
    bytesRead: count.nullable().meta({ description: 'Null for users who do not see every log.' }),
    elapsedMs: z.number().min(0),
    reasons: z.array(reason).meta({ description: 'Why the result is empty.' }),
    advice: z
      .strictObject({
        query: text.meta({ description: 'Rewritten where it has to be.' }),
        start: moment.nullable(),
        end: moment.nullable().meta({ description: 'Both null: the window of the call.' }),
      })
      .nullable()
      .meta({
        description:
          'What to ask instead of what finds nothing: it was tried, and finds something. Null: nothing of it is known within the time of hints (search.hintsWithinMs).',
      }),
    statement: z
      .strictObject({ sql: text, parameters: z.record(text, z.unknown()) })
      .nullable()
      .meta({ description: 'For administrators only.' }),
  })
  .meta({ id: 'ExplainAnswer' })

export const queryAnswer = z
  .strictObject({
    kind: z.enum(['events', 'table']),
    columns: z.array(text),
    rows: z
      .array(z.array(text.nullable()))
      .meta({ description: 'Cells as widgetAPI.jsp prints them; null: missing.' }),
    numberOfResults: count.meta({ description: 'Rows that are delivered.' }),
    hasMore: z.boolean().meta({ description: 'There are more rows than limit.' }),
  })
  .meta({ id: 'TableAnswer' })

export const completeAnswer = z
  .strictObject({
    from: count.meta({ description: 'The part of the text that a suggestion replaces.' }),
    to: count,
    suggestions: z.array(
      z.strictObject({
        text: text.meta({ description: 'To be put in, quoted where needed.' }),
        kind: z.enum([
          'log',
          'folder',
          'appTag',
          'host',
          'source',
          'column',
          'value',
          'stage',
          'word',
        ]),
        count: count.nullable().meta({ description: 'Events, of a value.' }),
      }),
    ),
  })
  .meta({ id: 'CompleteAnswer' })

export const ERROR_CODES = {
  invalid_parameter: 400,
  invalid_query: 400,
  sign_in_failed: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  cancelled: 409,
  conflict: 409,
  too_many_results: 422,
  resources_exceeded: 422,
  busy: 429,
  internal: 500,
  unavailable: 503,
  timeout: 504,
} as const satisfies Record<string, number>
export type ErrorCode = keyof typeof ERROR_CODES

const error = z
  .strictObject({
    code: z.enum(Object.keys(ERROR_CODES).filter(isErrorCode)),
    message: text,
    parameter: text.nullable().meta({ description: 'The parameter that is refused.' }),
    position: count
      .nullable()
      .meta({ description: 'Where in the query, from 1, in UTF-16 units.' }),
    isRetriable: z.boolean().meta({ description: 'The same call may succeed later.' }),
  })
  .meta({ id: 'ErrorDetails' })

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code)
}

/** The envelope's own fields, then what went wrong in detail. */
export const errorEnvelope = z
  .strictObject({
    success: z.literal(false),
    errorMessage: text,
    response: z.null(),
    httpStatusCode: z.int(),
    error,
  })
  .meta({ id: 'Error' })

export type EventAnswer = z.infer<typeof eventAnswer>
export type HistogramAnswer = z.infer<typeof histogramAnswer>
export type FacetAnswer = z.infer<typeof facet>
export type ReasonAnswer = z.infer<typeof reason>
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
export type EventsAnswer = z.infer<typeof eventsAnswer>
export type FacetsAnswer = z.infer<typeof facetsAnswer>
export type ShapesAnswer = z.infer<typeof shapesAnswer>
export type ContextAnswer = z.infer<typeof contextAnswer>
export type ExplainAnswer = z.infer<typeof explainAnswer>
export type TableAnswer = z.infer<typeof queryAnswer>
export type CompleteAnswer = z.infer<typeof completeAnswer>

/** Every answer of a search has them beside what it is. */
export function withWarnings<Shape extends z.core.$ZodShape>(answer: z.ZodObject<Shape>) {
  const warnings = z.array(warningSchema).meta({
    description: 'What may be wrong with the answer, such as damage of the store in its window.',
  })
  return answer.extend({ warnings })
}

export function okEnvelope<Answer extends z.ZodType>(response: Answer) {
  return z.strictObject({
    success: z.literal(true),
    errorMessage: z.null(),
    response,
    httpStatusCode: z.literal(200),
  })
}
