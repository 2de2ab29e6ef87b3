// Makes or changes a dashboard of an app.
import { z } from 'zod'
import { VIEWERS_OWN } from '../../../schemas/rights/sees.ts'
import { dashboardName } from '../../dashboards/app.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue } from '../values.ts'

const MAX_BYTES = 512 * 1024

export const addDashboard = {
  name: 'addDashboard',
  help: 'Makes a dashboard in an app that is there.',
  operation: 'data.dashboards',
  sees: VIEWERS_OWN,
  target: 'name',
  input: z.strictObject({
    app: argument(dashboardName, { description: 'name of the app', hint: '<app>' }),
    name: argument(dashboardName, {
      description: 'name of the dashboard; letter case does not tell two of an app apart',
      hint: '<name>',
    }),
    file: argument(
      z
        .string()
        .max(MAX_BYTES, `must have at most ${MAX_BYTES / 1024} KiB`)
        .optional(),
      {
        description: 'what it shows: JSON by docs/reference/dashboard-schema.json; default nothing',
        hint: '<file.json>',
        isFile: true,
        maxFileBytes: MAX_BYTES,
      },
    ),
    update: argument(flagValue.optional(), {
      description: 'true: changes the dashboard of this name',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({ app: z.string(), name: z.string(), widgets: z.number() }),
} as const satisfies CommandEntry
