// addDashboard: makes a dashboard, or with -update changes one.
import {
  changeDashboard,
  addDashboard as makeDashboard,
} from '../../../../infra/metastore/dashboards/change-apps.ts'
import {
  requireDashboard,
  requireEditableApp,
} from '../../../../infra/metastore/dashboards/read-apps.ts'
import {
  type DashboardDefinition,
  dashboardDefinition,
  EMPTY_DASHBOARD,
} from '../../../../schemas/dashboards/dashboard.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { addDashboard as published } from '../../../../schemas/sdk/dashboards/add-dashboard.ts'
import { checkDefinition } from '../../../dashboards/check-definition.ts'
import { memberOf } from '../../objects/member-of.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addDashboard = serveCommand(
  published,
  async ({ app, name, file, update }, { clock, caller, objects }) => {
    const who = memberOf(await objects.viewer())
    const definition = file === undefined ? undefined : readDefinition(file)
    if (definition !== undefined) checkDefinition(definition)
    const savedBy = caller.user.id
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const { id: appId, name: appName } = await requireEditableApp(transaction, app, who)
      const made =
        update === true
          ? await changeDashboard(
              transaction,
              await requireDashboard(transaction, appId, name),
              { definition, savedBy },
              nowMs,
            )
          : await makeDashboard(
              transaction,
              appId,
              { name, definition: definition ?? EMPTY_DASHBOARD, savedBy },
              nowMs,
            )
      return { app: appName, name: made.name, widgets: made.definition.widgets.length }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

function readDefinition(text: string): DashboardDefinition {
  const refuse = (reason: string, cause?: unknown) =>
    new Failure('sdk.argument', { argument: 'file', reason }, cause)
  const parsed = dashboardDefinition.safeParse(parseJson(text, refuse))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') ?? ''
  throw refuse(`${place === '' ? '' : `${place}: `}${issue?.message ?? 'is not a dashboard'}`)
}

function parseJson(text: string, refuse: (reason: string, cause: unknown) => Failure): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse('is no JSON', error)
  }
}
