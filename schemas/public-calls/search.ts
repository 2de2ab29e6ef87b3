// Parameters of widgetAPI.jsp for the OpenAPI document. Their names are fixed;
// query/search/parameters.ts reads them one by one, and a test holds the two together.
import { z } from 'zod'
import { FIXED_INTERVALS } from '../time/time-window.ts'

const whole = z.int().min(1)
const time = z.string().meta({ description: 'In the system date format, or ISO 8601.' })

export const searchCallParameters = z.object({
  widgetId: z.enum(['searchAPI', 'cancelSearch']),
  searchQuery: z.string().max(32_768).optional().meta({
    description: 'A query of the search language; required but for cancelSearch and further pages.',
  }),
  fixedInterval: z
    .enum(FIXED_INTERVALS)
    .optional()
    .meta({ description: 'Not together with explicit times. The default is last24Hours.' }),
  startTimeFullStr: time.optional(),
  endTimeFullStr: time.optional().meta({ description: 'Its second is inside the window.' }),
  startTime: z
    .string()
    .optional()
    .meta({
      description:
        'Told from now such as -2h, now-5m, -1d@d, -PT2H, or a time as in startTimeFullStr. Not together with fixedInterval, startTimeFullStr or endTimeFullStr.',
      examples: ['-2h'],
    }),
  endTime: z.string().optional().meta({
    description:
      'As startTime; the first moment after the window. Needs startTime. The default is now.',
  }),
  timeZone: z
    .string()
    .optional()
    .meta({
      description:
        "Of this call alone: times without a zone, days and intervals are read and shown in it. The default is the system's.",
      examples: ['Europe/Berlin'],
    }),
  maxNumOfRecords: whole.optional().meta({ description: 'Rows at most.' }),
  resultFormat: z.enum(['xml', 'csv', 'json', 'csv-plain']).optional().meta({
    description:
      'xml (default) and csv inside the XML document; json (a line a row) and csv-plain are streamed without it.',
  }),
  spreadsheet: z.enum(['true', 'false']).optional().meta({
    description:
      "true, with csv-plain: cells are for a spreadsheet. A text that it would take for a formula begins with '; numbers stay as they are.",
  }),
  paginate: z.enum(['true', 'false']).optional(),
  token: z.string().optional().meta({ description: 'Of the page before.' }),
  maxRecordsPerPage: whole.max(10_000).optional(),
  timeout: whole.optional().meta({ description: 'Milliseconds, 1 to 600,000.' }),
  abortOn: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'Fails with code 2 when the whole result has more rows.' }),
  searchId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'A name of yours, for cancelSearch.' }),
  warnings: z.enum(['true', 'false']).optional().meta({
    description:
      'true: Status/Warnings also tells what in the query may have been meant otherwise, and which parameters are not known. Without it only of damage.',
  }),
})
