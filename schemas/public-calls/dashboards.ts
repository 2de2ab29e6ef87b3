// Parameters and answers of the calls of apps and dashboards.
import { z } from 'zod'
import { appFile, appSettings, dashboardName } from '../dashboards/app.ts'
import { dashboardDefinition } from '../dashboards/dashboard.ts'
import { dashboardResult, widgetResult } from '../dashboards/result.ts'
import { timeFrame } from '../dashboards/time-frame.ts'
import { variableChoice } from '../dashboards/variable.ts'
import { widget } from '../dashboards/widget.ts'

const id = z.int().min(1)
const version = z.int().min(1).meta({ description: 'Rises with every change.' })
const seen = version.meta({ description: 'The version that was read: another one is refused.' })

const names = z.array(z.string()).max(1000)
const list = z
  .strictObject({ groups: names, users: names })
  .meta({ description: 'Names; both empty: administrators alone.' })

export const appAccess = z
  .strictObject({
    viewers: list.nullable().meta({ description: 'Null: everybody who signs in.' }),
    editors: list.nullable().meta({ description: 'Null: whoever may view it.' }),
  })
  .meta({ id: 'AppAccess', description: 'Editing needs the operation data.dashboards, too.' })

const dashboardHead = z.strictObject({ id, name: z.string(), version })

export const appsAnswer = z.strictObject({
  mayMake: z.boolean(),
  apps: z.array(
    z.strictObject({
      ...{ id, name: z.string(), version, settings: appSettings },
      mayEdit: z.boolean(),
      dashboards: z.array(dashboardHead),
    }),
  ),
})

export const appAnswer = z.strictObject({
  ...{ id, name: z.string(), version, settings: appSettings },
  mayEdit: z.boolean(),
  access: appAccess.nullable().meta({ description: 'Null: the user may not edit it.' }),
  dashboards: z.array(dashboardHead),
})

export const appAdded = z.strictObject({
  name: dashboardName,
  settings: appSettings.optional(),
  access: appAccess.optional(),
})

export const appChanged = z.strictObject({
  version: seen,
  name: dashboardName.optional(),
  settings: appSettings.optional(),
  access: appAccess.optional(),
})

export const appImported = z
  .strictObject({
    file: appFile.optional(),
    readyMade: z.string().optional().meta({ description: 'Name of an app that comes along.' }),
    name: dashboardName.optional().meta({ description: 'Instead of the one in the file.' }),
    replace: z.boolean().default(false).meta({
      description: 'An app of this name gets what the file says; its other dashboards stay.',
    }),
  })
  .refine(({ file, readyMade }) => (file === undefined) !== (readyMade === undefined), {
    path: ['file'],
    message: 'give file or readyMade',
  })

export const readyMadeAnswer = z.strictObject({
  apps: z.array(
    z.strictObject({ name: z.string(), description: z.string(), dashboards: z.array(z.string()) }),
  ),
})

export const dashboardAnswer = z.strictObject({
  ...{ id, appId: id, name: z.string(), version, definition: dashboardDefinition },
  mayEdit: z.boolean(),
})

export const dashboardAdded = z.strictObject({
  name: dashboardName,
  definition: dashboardDefinition,
})

export const dashboardChanged = z.strictObject({
  version: seen,
  name: dashboardName.optional(),
  definition: dashboardDefinition.optional(),
})

export const removedParameters = z.strictObject({ version: seen.optional() })

export const storedAnswer = z.strictObject({
  result: dashboardResult
    .nullable()
    .meta({ description: 'Null: there is none that was made of what this user may view.' }),
})

export const generatedAnswer = z.strictObject({ result: dashboardResult })

/** A draft is a widget that is not saved. */
export const widgetQuestion = z
  .strictObject({
    widgetId: z.string().optional(),
    widget: widget.optional(),
    variables: variableChoice.optional(),
    timeFrame: timeFrame.optional().meta({ description: 'Instead of the inherited one.' }),
    timeout: z.int().min(1).optional().meta({ description: 'Milliseconds.' }),
    searchId: z.string().min(1).max(64).optional(),
  })
  .refine(({ widgetId, widget }) => (widgetId === undefined) !== (widget === undefined), {
    path: ['widgetId'],
    message: 'give widgetId or widget',
  })

export const widgetAnswer = widgetResult

export const exportParameters = z.strictObject({
  action: z.literal('export'),
  appName: z.string().meta({ description: 'Letter case does not count.' }),
  viewName: z.string().meta({ description: 'Name of the dashboard.' }),
  format: z.enum(['pdf', 'csv']).optional().meta({ description: 'Default pdf.' }),
  spreadsheet: z.enum(['true', 'false']).optional().meta({
    description:
      "true, with csv: a text that a spreadsheet would take for a formula begins with '.",
  }),
})

export type AppsAnswer = z.infer<typeof appsAnswer>
export type AppAnswer = z.infer<typeof appAnswer>
export type DashboardAnswer = z.infer<typeof dashboardAnswer>
export type ReadyMadeAnswer = z.infer<typeof readyMadeAnswer>
