// What a dashboard shows: variables and widgets on a grid (decisions 6.1, 6.2). Its JSON schema is
// docs/reference/dashboard-schema.json.
import { z } from 'zod'
import { timeFrame } from './time-frame.ts'
import { dashboardVariable, MAX_VARIABLES } from './variable.ts'
import { GRID_COLUMNS, type WidgetPlace, widget } from './widget.ts'

const MAX_WIDGETS = 50

export const dashboardDefinition = z
  .strictObject({
    description: z.string().trim().max(2000).default(''),
    timeFrame: timeFrame.nullable().default(null).meta({ description: 'Null: that of the app.' }),
    sources: z
      .string()
      .max(4096)
      .nullable()
      .default(null)
      .meta({ description: 'Null: of the app.' }),
    slideSeconds: z
      .int()
      .min(5)
      .max(3600)
      .nullable()
      .default(null)
      .meta({ description: 'How long it stays in the slide show of its app; null: not in it.' }),
    variables: z.array(dashboardVariable).max(MAX_VARIABLES).default([]),
    widgets: z.array(widget).max(MAX_WIDGETS).default([]),
  })
  .superRefine(({ variables, widgets }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    for (const [at, { name }] of variables.entries())
      if (variables.findIndex((other) => fold(other.name) === fold(name)) < at)
        refuse(['variables', at, 'name'], 'stands twice')
    for (const [at, one] of widgets.entries()) {
      if (widgets.findIndex(({ id }) => id === one.id) < at)
        refuse(['widgets', at, 'id'], 'stands twice')
      const before = widgets.slice(0, at)
      if (before.some(({ title }) => fold(title) === fold(one.title)))
        refuse(['widgets', at, 'title'], 'stands twice')
      if (before.some(({ place }) => overlap(place, one.place)))
        refuse(['widgets', at, 'place'], 'lies over another widget')
    }
  })
  .meta({ id: 'Dashboard' })

export type DashboardDefinition = z.infer<typeof dashboardDefinition>

export const EMPTY_DASHBOARD: DashboardDefinition = dashboardDefinition.parse({})

/** Letter case does not tell two names apart. */
function fold(name: string): string {
  return name.toLowerCase()
}

function overlap(a: WidgetPlace, b: WidgetPlace): boolean {
  return (
    a.column < b.column + b.width &&
    b.column < a.column + a.width &&
    a.row < b.row + b.height &&
    b.row < a.row + a.height &&
    a.column + a.width <= GRID_COLUMNS
  )
}
