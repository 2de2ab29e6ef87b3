// Apps as files: written, taken in, and those that come along.
import type { z } from 'zod'
import {
  jsonContent,
  NO_BODY,
  type ServedRoute,
  wholeBody,
} from '../../../infra/http/routes/route.ts'
import {
  addApp,
  addDashboard,
  changeApp,
  changeDashboard,
} from '../../../infra/metastore/dashboards/change-apps.ts'
import {
  findApp,
  findDashboard,
  listDashboards,
  requireApp,
  requireEditableApp,
} from '../../../infra/metastore/dashboards/read-apps.ts'
import { appFile } from '../../../schemas/dashboards/app.ts'
import {
  appAnswer,
  appImported,
  readyMadeAnswer,
} from '../../../schemas/public-calls/dashboards.ts'
import { VIEWERS_OWN } from '../../../schemas/rights/sees.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import type { ServeCall } from '../../edge/serve-call.ts'
import { checkDefinition, checkSources } from '../check-definition.ts'
import { readyMadeApps, requireReadyMade } from '../ready-made.ts'
import { APP_PATH, APP_VALUES, APPS_PATH, TAGS, type TellApp } from './app-routes.ts'
import {
  CHANGED,
  DASHBOARD_SURFACE,
  failedAnswers,
  readBody,
  readId,
  WRITE_SURFACE,
} from './dashboard-surface.ts'
import { type WriteDeps, writeAudited } from './write-audited.ts'

export function makeFileRoutes(
  deps: WriteDeps & { readonly serve: ServeCall; readonly tell: TellApp },
): ServedRoute[] {
  const { metastore, clock, serve, tell } = deps

  const write = serve(DASHBOARD_SURFACE, async (call) => {
    const id = readId(call, 'app')
    const who = await metastore.membership(call.signedIn.user)
    const value = await metastore.database.snapshot(
      async (transaction): Promise<z.input<typeof appFile>> => {
        const { name, settings } = await requireApp(transaction, id, who)
        const dashboards = await listDashboards(transaction, id)
        const files = dashboards.map((one) => ({ name: one.name, definition: one.definition }))
        return { name, ...settings, dashboards: files }
      },
    )
    return { value }
  })

  const readyMade = serve(DASHBOARD_SURFACE, async () => {
    const apps = readyMadeApps().map(({ name, description, dashboards }) => ({
      ...{ name, description, dashboards: dashboards.map((one) => one.name) },
    }))
    return { value: { apps } satisfies z.input<typeof readyMadeAnswer> }
  })

  const read = serve(WRITE_SURFACE, async (call) => {
    const asked = readBody(appImported, call)
    const file = asked.file ?? requireReadyMade(asked.readyMade ?? '')
    const { name: ownName, dashboards, ...settings } = file
    const name = asked.name ?? ownName
    checkSources('sources', settings.sources)
    for (const { definition } of dashboards) checkDefinition(definition)
    const { user } = call.signedIn
    const who = await metastore.membership(user)
    const audited = { action: 'app.import', target: name, operation: 'data.dashboards' as const }
    const id = await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      const nowMs = clock.nowMs()
      const isThere = asked.replace && (await findApp(transaction, name)) !== undefined
      const app = isThere
        ? await requireEditableApp(transaction, name, who)
        : await addApp(transaction, { name, settings }, nowMs)
      if (isThere) await changeApp(transaction, app.id, { settings }, nowMs)
      for (const one of dashboards) {
        const before = await findDashboard(transaction, app.id, one.name)
        const given = { ...one, savedBy: user.id }
        if (before === undefined) await addDashboard(transaction, app.id, given, nowMs)
        else await changeDashboard(transaction, { id: before.id, appId: app.id }, given, nowMs)
      }
      return app.id
    })
    return { value: await tell(id, user) }
  })

  const right = 'signed-in' as const
  return [
    {
      ...{ path: `${APP_PATH}/file`, pathValues: APP_VALUES, right, methods: ['GET'] },
      ...{ body: NO_BODY, handle: write },
      document: {
        ...{
          operationId: 'exportApp',
          tags: TAGS,
          summary: 'An app with its dashboards as a file',
        },
        answers: {
          200: { description: 'As importApp takes it.', content: jsonContent(okEnvelope(appFile)) },
          ...failedAnswers(),
        },
      },
    },
    {
      ...{ path: `${APPS_PATH}/ready-made`, right, methods: ['GET'] },
      ...{ body: NO_BODY, handle: readyMade },
      document: {
        ...{ operationId: 'readyMadeApps', tags: TAGS, summary: 'Apps that come along' },
        answers: {
          200: { description: 'Their names.', content: jsonContent(okEnvelope(readyMadeAnswer)) },
          ...failedAnswers(),
        },
      },
    },
    {
      ...{ path: `${APPS_PATH}/import`, right, methods: ['POST'], sees: VIEWERS_OWN, handle: read },
      body: wholeBody(jsonContent(appImported), { isRequired: true }),
      document: {
        ...{ operationId: 'importApp', tags: TAGS, summary: 'Takes in an app with its dashboards' },
        answers: {
          200: { description: 'It is there.', content: jsonContent(okEnvelope(appAnswer)) },
          ...failedAnswers(CHANGED),
        },
      },
    },
  ]
}
