// A widget: a query, a time frame and a visual type (decision 6.1).
import { z } from 'zod'
import { timeFrame } from './time-frame.ts'

export const VISUAL_TYPES = [
  'table',
  'line',
  'area',
  'column',
  'stackedColumn',
  'bar',
  'pie',
  'donut',
  'gauge',
  'number',
  'heatMap',
  'map',
  'wordCloud',
  'text',
  'eventList',
  'transactionTable',
] as const
export type VisualType = (typeof VISUAL_TYPES)[number]

export const GRID_COLUMNS = 12
const MAX_GRID_ROWS = 400
const MAX_QUERY_CHARACTERS = 32_768

export const UNITS = ['none', 'short', 'bytes', 'milliseconds', 'seconds', 'percent'] as const
export type Unit = (typeof UNITS)[number]

export const THRESHOLD_LEVELS = ['good', 'warning', 'critical'] as const
export type ThresholdLevel = (typeof THRESHOLD_LEVELS)[number]

const columnName = z.string().trim().min(1).max(255)

export const widgetOptions = z
  .strictObject({
    unit: z.enum(UNITS).default('none').meta({ description: 'Of values on axes and labels.' }),
    suffix: z.string().trim().max(20).default('').meta({ description: 'Behind each value.' }),
    decimals: z.int().min(0).max(6).nullable().default(null),
    thresholds: z
      .array(z.strictObject({ from: z.number(), level: z.enum(THRESHOLD_LEVELS) }))
      .max(8)
      .default([])
      .meta({ description: 'The last one whose `from` is not above the value gives its colour.' }),
    legend: z.enum(['none', 'bottom', 'right']).default('bottom'),
    min: z.number().nullable().default(null),
    max: z.number().nullable().default(null),
    maxRows: z.int().min(1).max(1000).default(100).meta({ description: 'Rows of tables.' }),
    category: columnName.nullable().default(null).meta({
      description: 'Column of the x axis, the slices, the words; default: the first.',
    }),
    series: columnName.nullable().default(null).meta({
      description: 'Column whose values become series; default: the second text column, if any.',
    }),
    values: z
      .array(columnName)
      .max(20)
      .default([])
      .meta({ description: 'Columns that are drawn; default: all columns of numbers.' }),
    latitude: columnName.nullable().default(null),
    longitude: columnName.nullable().default(null),
  })
  .meta({ id: 'WidgetOptions' })

export const DEFAULT_OPTIONS = widgetOptions.parse({})

export const widgetPlace = z
  .strictObject({
    column: z
      .int()
      .min(0)
      .max(GRID_COLUMNS - 1),
    row: z.int().min(0).max(MAX_GRID_ROWS),
    width: z.int().min(1).max(GRID_COLUMNS),
    height: z.int().min(1).max(40),
  })
  .refine(({ column, width }) => column + width <= GRID_COLUMNS, 'reaches over the twelfth column')
  .meta({ id: 'WidgetPlace' })

export const widget = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, - and _')
      .meta({ description: 'Stays when the title changes; unique in its dashboard.' }),
    title: z.string().trim().min(1).max(200),
    description: z.string().trim().max(2000).default(''),
    type: z.enum(VISUAL_TYPES),
    query: z.string().max(MAX_QUERY_CHARACTERS).default(''),
    text: z.string().max(20_000).default('').meta({ description: 'What a text widget shows.' }),
    timeFrame: timeFrame.nullable().default(null),
    sources: z
      .string()
      .max(4096)
      .nullable()
      .default(null)
      .meta({ description: 'Logs that are read, as `folder.Web, log.access*`; null: inherited.' }),
    place: widgetPlace,
    options: widgetOptions.default(DEFAULT_OPTIONS),
    hasDrillDown: z
      .boolean()
      .default(true)
      .meta({ description: 'Leads to the search that it shows.' }),
  })
  .refine(({ type, query }) => type === 'text' || query.trim() !== '', {
    path: ['query'],
    message: 'is missing',
  })
  .meta({ id: 'Widget' })

export type Widget = z.infer<typeof widget>
export type WidgetOptions = z.infer<typeof widgetOptions>
export type WidgetPlace = z.infer<typeof widgetPlace>
