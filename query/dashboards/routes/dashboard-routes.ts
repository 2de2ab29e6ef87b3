// Routes of dashboards: read, made, changed, removed.
import type { z } from 'zod'
import {
  jsonContent,
  NO_BODY,
  type ServedRoute,
  wholeBody,
} from '../../../infra/http/routes/route.ts'
import {
  addDashboard,
  changeDashboard,
  removeDashboard,
} from '../../../infra/metastore/dashboards/change-apps.ts'
import {
  requireApp,
  requireDashboard,
  requireEditableApp,
} from '../../../infra/metastore/dashboards/read-apps.ts'
import {
  dashboardAdded,
  dashboardAnswer,
  dashboardChanged,
  removedParameters,
} from '../../../schemas/public-calls/dashboards.ts'
import { VIEWERS_OWN } from '../../../schemas/rights/sees.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import type { UserRecord } from '../../../schemas/users.ts'
import type { ServeCall } from '../../edge/serve-call.ts'
import { checkDefinition } from '../check-definition.ts'
import { APP_PATH, APP_VALUES, mayEdit, TAGS } from './app-routes.ts'
import {
  CHANGED,
  DASHBOARD_SURFACE,
  failedAnswers,
  readBody,
  readId,
  readVersion,
  WRITE_SURFACE,
} from './dashboard-surface.ts'
import { type WriteDeps, writeAudited } from './write-audited.ts'

const LIST_PATH = `${APP_PATH}/dashboards`
export const DASHBOARD_PATH = `${LIST_PATH}/{dashboard}`
export const DASHBOARD_VALUES = { ...APP_VALUES, dashboard: APP_VALUES.app }

export function makeDashboardRoutes(
  deps: WriteDeps & { readonly serve: ServeCall },
): ServedRoute[] {
  const { metastore, clock, serve } = deps

  const tell = async (
    appId: number,
    id: number,
    user: UserRecord,
  ): Promise<z.input<typeof dashboardAnswer>> => {
    const who = await metastore.membership(user)
    return await metastore.database.snapshot(async (transaction) => {
      const app = await requireApp(transaction, appId, who)
      const { name, version, definition } = await requireDashboard(transaction, appId, id)
      return { id, appId, name, version, definition, mayEdit: mayEdit(app, user, who) }
    })
  }

  const read = serve(DASHBOARD_SURFACE, async (call) => {
    const [app, dashboard] = [readId(call, 'app'), readId(call, 'dashboard')]
    return { value: await tell(app, dashboard, call.signedIn.user) }
  })

  const add = serve(WRITE_SURFACE, async (call) => {
    const appId = readId(call, 'app')
    const { name, definition } = readBody(dashboardAdded, call)
    checkDefinition(definition)
    const { user } = call.signedIn
    const who = await metastore.membership(user)
    const audited = { action: 'dashboard.add', target: name, operation: 'data.dashboards' as const }
    const { id } = await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      await requireEditableApp(transaction, appId, who)
      const given = { name, definition, savedBy: user.id }
      return await addDashboard(transaction, appId, given, clock.nowMs())
    })
    return { value: await tell(appId, id, user) }
  })

  const change = serve(WRITE_SURFACE, async (call) => {
    const [appId, id] = [readId(call, 'app'), readId(call, 'dashboard')]
    const { version, name, definition } = readBody(dashboardChanged, call)
    if (definition !== undefined) checkDefinition(definition)
    const { user } = call.signedIn
    const who = await metastore.membership(user)
    const audited = {
      action: 'dashboard.change',
      target: String(id),
      operation: 'data.dashboards' as const,
    }
    await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      await requireEditableApp(transaction, appId, who)
      const given = { version, name, definition, savedBy: user.id }
      await changeDashboard(transaction, { id, appId }, given, clock.nowMs())
    })
    return { value: await tell(appId, id, user) }
  })

  const remove = serve(WRITE_SURFACE, async (call) => {
    const [appId, id] = [readId(call, 'app'), readId(call, 'dashboard')]
    const version = readVersion(call.given)
    const who = await metastore.membership(call.signedIn.user)
    const audited = {
      action: 'dashboard.remove',
      target: String(id),
      operation: 'data.dashboards' as const,
    }
    await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      await requireEditableApp(transaction, appId, who)
      const dashboard = await requireDashboard(transaction, appId, id)
      await removeDashboard(transaction, dashboard, version)
    })
    return { value: {} }
  })

  const one = { path: DASHBOARD_PATH, pathValues: DASHBOARD_VALUES, right: 'signed-in' } as const
  const content = jsonContent(okEnvelope(dashboardAnswer))
  const bodyOf = (schema: z.ZodType) => wholeBody(jsonContent(schema), { isRequired: true })
  return [
    {
      ...{
        path: LIST_PATH,
        pathValues: APP_VALUES,
        right: 'signed-in',
        methods: ['POST'],
        sees: VIEWERS_OWN,
      },
      ...{ body: bodyOf(dashboardAdded), handle: add },
      document: {
        ...{ operationId: 'addDashboard', tags: TAGS, summary: 'Makes a dashboard' },
        answers: { 200: { description: 'It is made.', content }, ...failedAnswers(CHANGED) },
      },
    },
    {
      ...{ ...one, methods: ['GET'], body: NO_BODY, handle: read },
      document: {
        ...{ operationId: 'readDashboard', tags: TAGS, summary: 'A dashboard' },
        answers: { 200: { description: 'The dashboard.', content }, ...failedAnswers() },
      },
    },
    {
      ...{
        ...one,
        methods: ['PUT'],
        sees: VIEWERS_OWN,
        body: bodyOf(dashboardChanged),
        handle: change,
      },
      document: {
        ...{ operationId: 'changeDashboard', tags: TAGS, summary: 'Changes a dashboard' },
        description: 'What is not given stays. `version` is the one that was read.',
        answers: { 200: { description: 'It is changed.', content }, ...failedAnswers(CHANGED) },
      },
    },
    {
      ...{ ...one, methods: ['DELETE'], sees: VIEWERS_OWN, body: NO_BODY, handle: remove },
      parameters: removedParameters,
      document: {
        ...{ operationId: 'removeDashboard', tags: TAGS, summary: 'Removes a dashboard' },
        answers: { 200: { description: 'It is gone.' }, ...failedAnswers(CHANGED) },
      },
    },
  ]
}
