// CloudEvents as they are taken in, for the OpenAPI document. The listener reads them from their
// bytes; a test holds the two together.
import { z } from 'zod'
import { ingestParameters } from './ingest.ts'

export const cloudEventsParameters = ingestParameters.extend({
  token: z.string().optional().meta({ description: 'Of the listener account; or Authorization.' }),
})

export const cloudEvent = z
  .looseObject({
    specversion: z.literal('1.0'),
    id: z.string().min(1),
    source: z.string().min(1).meta({ description: 'The source of the event in searches.' }),
    type: z.string().min(1),
    time: z.iso.datetime({ offset: true }).nullish().meta({
      description:
        'The time of the event, in the years 1970 to 2199; without it, the time of receipt.',
    }),
    subject: z.string().nullish(),
    datacontenttype: z.string().nullish(),
    dataschema: z.string().nullish(),
    data: z.unknown().optional().meta({ description: 'Its values become columns `data.…`.' }),
    data_base64: z.string().nullish(),
  })
  .meta({ id: 'CloudEvent' })
