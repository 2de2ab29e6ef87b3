// What a widget shows: the rows of its query, as printed and, where they are drawn, as values.
import { z } from 'zod'
import { warningSchema } from '../warning.ts'

export const resultColumn = z
  .strictObject({
    name: z.string(),
    type: z.enum(['text', 'number', 'time']),
    times: z
      .array(z.number().nullable())
      .optional()
      .meta({ description: 'Of a column of times: epoch milliseconds, row by row.' }),
  })
  .meta({ id: 'WidgetColumn' })

export const widgetRows = z
  .strictObject({
    columns: z.array(resultColumn),
    rows: z.array(z.array(z.string().nullable())).meta({
      description: 'Cells as they are printed; null: a missing one.',
    }),
    hasMore: z.boolean().meta({ description: 'There are more rows than these.' }),
  })
  .meta({ id: 'WidgetRows' })

export const widgetResult = z
  .strictObject({
    widgetId: z.string(),
    window: z.strictObject({
      startMs: z.number().nullable(),
      endMs: z.number().nullable(),
    }),
    query: z.string().meta({
      description: 'As it ran, with the values of variables and the logs of its sources.',
    }),
    rows: widgetRows.nullable().meta({ description: 'Null: it failed, or has no query.' }),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it has no rows.' }),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'WidgetResult' })

export const dashboardResult = z
  .strictObject({
    version: z.literal(1),
    generatedMs: z.number(),
    timeZone: z.string(),
    dateFormat: z.string(),
    widgets: z.array(widgetResult),
  })
  .meta({ id: 'DashboardResult' })

export type ResultColumn = z.infer<typeof resultColumn>
export type WidgetRows = z.infer<typeof widgetRows>
export type WidgetResult = z.infer<typeof widgetResult>
export type DashboardResult = z.infer<typeof dashboardResult>
