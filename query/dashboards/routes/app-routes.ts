// Routes of apps: listed, read, made, changed, removed.
import type { z } from 'zod'
import { mayDo } from '../../../infra/access/may-do.ts'
import {
  jsonContent,
  NO_BODY,
  type ServedRoute,
  wholeBody,
} from '../../../infra/http/routes/route.ts'
import { type Membership, mayEditApp } from '../../../infra/metastore/dashboards/app-access.ts'
import { readListNames, requireList } from '../../../infra/metastore/dashboards/app-list-names.ts'
import { addApp, changeApp, removeApp } from '../../../infra/metastore/dashboards/change-apps.ts'
import {
  type App,
  listApps,
  listDashboardHeads,
  requireApp,
  requireEditableApp,
} from '../../../infra/metastore/dashboards/read-apps.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import {
  appAdded,
  appAnswer,
  appChanged,
  appsAnswer,
  removedParameters,
} from '../../../schemas/public-calls/dashboards.ts'
import { VIEWERS_OWN } from '../../../schemas/rights/sees.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import type { UserRecord } from '../../../schemas/users.ts'
import type { ServeCall } from '../../edge/serve-call.ts'
import { checkSources } from '../check-definition.ts'
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

export const APPS_PATH = '/logeye/api/apps'
export const APP_PATH = `${APPS_PATH}/{app}`
export const TAGS = ['dashboards']
export const APP_VALUES = { app: removedParameters.shape.version.unwrap() }

export function makeAppRoutes(deps: WriteDeps & { readonly serve: ServeCall }): ServedRoute[] {
  const { metastore, clock, serve } = deps
  const { database } = metastore

  const list = serve(DASHBOARD_SURFACE, async ({ signedIn: { user } }) => {
    const who = await metastore.membership(user)
    const [apps, heads] = await database.snapshot(async (transaction) => [
      who === undefined ? [] : await listApps(transaction, who),
      await listDashboardHeads(transaction),
    ])
    const value: z.input<typeof appsAnswer> = {
      mayMake: mayDo(user, 'data.dashboards'),
      apps: apps.map((app) => ({
        ...{ id: app.id, name: app.name, version: app.version, settings: app.settings },
        mayEdit: mayEdit(app, user, who),
        dashboards: heads.filter(({ appId }) => appId === app.id).map(headOf),
      })),
    }
    return { value }
  })

  const tell = makeTellApp(metastore)

  const read = serve(DASHBOARD_SURFACE, async (call) => ({
    value: await tell(readId(call, 'app'), call.signedIn.user),
  }))

  const add = serve(WRITE_SURFACE, async (call) => {
    const { name, settings, access } = readBody(appAdded, call)
    checkSources('settings.sources', settings?.sources ?? null)
    const audited = { action: 'app.add', target: name, operation: 'data.dashboards' as const }
    const { id } = await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      const viewers = await requireList(transaction, access?.viewers)
      const editors = await requireList(transaction, access?.editors)
      const change = { name, settings, viewers, editors }
      return await addApp(transaction, change, clock.nowMs())
    })
    return { value: await tell(id, call.signedIn.user) }
  })

  const change = serve(WRITE_SURFACE, async (call) => {
    const id = readId(call, 'app')
    const { version, name, settings, access } = readBody(appChanged, call)
    checkSources('settings.sources', settings?.sources ?? null)
    const who = await metastore.membership(call.signedIn.user)
    const audited = {
      action: 'app.change',
      target: String(id),
      operation: 'data.dashboards' as const,
    }
    await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      await requireEditableApp(transaction, id, who)
      const viewers = await requireList(transaction, access?.viewers)
      const editors = await requireList(transaction, access?.editors)
      const given = { version, name, settings, viewers, editors }
      await changeApp(transaction, id, given, clock.nowMs())
    })
    return { value: await tell(id, call.signedIn.user) }
  })

  const remove = serve(WRITE_SURFACE, async (call) => {
    const id = readId(call, 'app')
    const version = readVersion(call.given)
    const who = await metastore.membership(call.signedIn.user)
    const audited = {
      action: 'app.remove',
      target: String(id),
      operation: 'data.dashboards' as const,
    }
    await writeAudited(audited, call.signedIn, deps, async (transaction) => {
      const app = await requireEditableApp(transaction, id, who)
      await removeApp(transaction, app, version)
    })
    return { value: {} }
  })

  const one = { path: APP_PATH, pathValues: APP_VALUES, right: 'signed-in' } as const
  const all = { path: APPS_PATH, right: 'signed-in' } as const
  const told = (description: string) => ({
    description,
    content: jsonContent(okEnvelope(appAnswer)),
  })
  const bodyOf = (schema: z.ZodType) => wholeBody(jsonContent(schema), { isRequired: true })
  return [
    {
      ...{ ...all, methods: ['GET'], body: NO_BODY, handle: list },
      document: {
        ...{ operationId: 'listApps', tags: TAGS, summary: 'Apps and their dashboards' },
        answers: {
          200: {
            description: 'Those that the user may view, by name.',
            content: jsonContent(okEnvelope(appsAnswer)),
          },
          ...failedAnswers(),
        },
      },
    },
    {
      ...{ ...all, methods: ['POST'], sees: VIEWERS_OWN, body: bodyOf(appAdded), handle: add },
      document: {
        ...{ operationId: 'addApp', tags: TAGS, summary: 'Makes an app' },
        answers: { 200: told('It is made.'), ...failedAnswers(CHANGED) },
      },
    },
    {
      ...{ ...one, methods: ['GET'], body: NO_BODY, handle: read },
      document: {
        ...{ operationId: 'readApp', tags: TAGS, summary: 'An app' },
        answers: { 200: told('The app.'), ...failedAnswers() },
      },
    },
    {
      ...{ ...one, methods: ['PUT'], sees: VIEWERS_OWN, body: bodyOf(appChanged), handle: change },
      document: {
        ...{ operationId: 'changeApp', tags: TAGS, summary: 'Changes an app' },
        description: 'What is not given stays. `version` is the one that was read.',
        answers: { 200: told('It is changed.'), ...failedAnswers(CHANGED) },
      },
    },
    {
      ...{ ...one, methods: ['DELETE'], sees: VIEWERS_OWN, body: NO_BODY, handle: remove },
      parameters: removedParameters,
      document: {
        ...{ operationId: 'removeApp', tags: TAGS, summary: 'Removes an app with its dashboards' },
        answers: { 200: { description: 'It is gone.' }, ...failedAnswers(CHANGED) },
      },
    },
  ]
}

export type TellApp = (id: number, user: UserRecord) => Promise<z.input<typeof appAnswer>>

export function makeTellApp(metastore: OpenedMetastore): TellApp {
  return async (id, user) => {
    const who = await metastore.membership(user)
    return await metastore.database.snapshot(async (transaction) => {
      const app = await requireApp(transaction, id, who)
      const heads = await listDashboardHeads(transaction)
      const isEditor = mayEdit(app, user, who)
      const namesOf = await readListNames(transaction)
      return {
        ...{ id, name: app.name, version: app.version, settings: app.settings },
        mayEdit: isEditor,
        access: isEditor
          ? { viewers: copy(namesOf(app.viewers)), editors: copy(namesOf(app.editors)) }
          : null,
        dashboards: heads.filter(({ appId }) => appId === id).map(headOf),
      }
    })
  }
}

export function mayEdit(app: App, user: UserRecord, who: Membership | undefined): boolean {
  return mayDo(user, 'data.dashboards') && mayEditApp(app, who)
}

function headOf({ id, name, version }: { id: number; name: string; version: number }) {
  return { id, name, version }
}

function copy(list: { groups: readonly string[]; users: readonly string[] } | null) {
  return list && { groups: [...list.groups], users: [...list.users] }
}
