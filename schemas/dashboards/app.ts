// An app: dashboards with what they have in common (decision 6.1).
import { z } from 'zod'
import { parseCron } from '../time/cron.ts'
import { isTimeZone } from '../time/time-zone.ts'
import { objectNameSchema } from '../users.ts'
import { dashboardDefinition } from './dashboard.ts'
import { timeFrame } from './time-frame.ts'

/** Between the name of an app and that of its dashboard. */
export const NAME_SEPARATOR = '->'

/** Of an app or a dashboard. */
export const dashboardName = objectNameSchema.refine(
  (name) => !name.includes(NAME_SEPARATOR),
  `must hold no ${NAME_SEPARATOR}`,
)

export const APP_COLOURS = [
  'blue',
  'teal',
  'green',
  'amber',
  'orange',
  'red',
  'violet',
  'grey',
] as const

const MAX_IMAGE_CHARACTERS = 48 * 1024
const IMAGE = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** Results of `never` are made when somebody asks, and kept; those of `live` are not kept. */
const generation = z
  .string()
  .trim()
  .refine(
    (text) => text === 'never' || text === 'live' || parseCron(text) !== undefined,
    'must be never, live or five fields of cron such as */15 * * * *',
  )

export const appSettings = z
  .strictObject({
    description: z.string().trim().max(2000).default(''),
    colour: z.enum(APP_COLOURS).default('blue'),
    image: z
      .string()
      .max(MAX_IMAGE_CHARACTERS, 'must have at most 36 KiB')
      .refine(
        (text) => text === '' || IMAGE.test(text),
        'must be a data: address of PNG, JPEG or WebP',
      )
      .default(''),
    timeFrame: timeFrame.default({ interval: 'last24Hours' }),
    sources: z
      .string()
      .trim()
      .max(4096)
      .default('')
      .meta({ description: 'Logs that are read, as `folder.Web, log.access*`; empty: all.' }),
    generation: generation.default('never').meta({
      description: 'When results are made by themselves: never, live (while it is open), or cron.',
    }),
    timeZone: z
      .string()
      .refine((text) => text === '' || isTimeZone(text), 'must be an IANA time zone')
      .default('')
      .meta({ description: 'Of the generation and of dates; empty: that of the system.' }),
  })
  .meta({ id: 'AppSettings' })

export type AppSettings = z.infer<typeof appSettings>

export const DEFAULT_APP: AppSettings = appSettings.parse({})

/** An app with its dashboards in a file. */
export const appFile = z
  .strictObject({
    name: dashboardName,
    ...appSettings.shape,
    dashboards: z
      .array(z.strictObject({ name: dashboardName, definition: dashboardDefinition }))
      .max(100)
      .default([])
      .refine(
        (list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length,
        'names equal but for letter case',
      ),
  })
  .meta({ id: 'App' })

export type AppFile = z.infer<typeof appFile>
