// Saved searches over HTTP: /logeye/api/saved-searches, for the console and for programs.
import type { z } from 'zod'
import {
  jsonContent,
  MAX_SMALL_BODY_BYTES,
  NO_BODY,
  type RouteCall,
  type RouteTable,
  wholeBody,
} from '../../infra/http/routes/route.ts'
import {
  addSearch,
  changeSearch,
  listSearches,
  mayChangeSearch,
  removeSearch,
  requireChangeable,
  requireSearch,
  type SavedSearch,
} from '../../infra/metastore/searches/saved-searches.ts'
import { Failure } from '../../schemas/failures.ts'
import { removedParameters } from '../../schemas/public-calls/dashboards.ts'
import {
  savedSearch,
  savedSearchAdded,
  savedSearchChanged,
  savedSearchesAnswer,
  savedSearchesParameters,
} from '../../schemas/public-calls/saved-searches.ts'
import { VIEWERS_OWN } from '../../schemas/rights/sees.ts'
import { okEnvelope } from '../../schemas/search-json/answers.ts'
import type { UserRecord } from '../../schemas/users.ts'
import {
  CHANGED,
  DASHBOARD_SURFACE,
  failedAnswers,
  readBody,
  readVersion,
  refuseIssue,
} from '../dashboards/routes/dashboard-surface.ts'
import { type Audited, type WriteDeps, writeAudited } from '../dashboards/routes/write-audited.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import type { Given } from '../edge/surface.ts'
import { ERROR_ENVELOPE } from '../search-json/failed-answer.ts'

const PATH = '/logeye/api/saved-searches'
const TAGS = ['search']
const DEFAULT_LIMIT = 200

const SURFACE: typeof DASHBOARD_SURFACE = {
  ...DASHBOARD_SURFACE,
  bug: { phrase: 'saved search call failed', code: 'request.internal' },
}
const WRITE_SURFACE: typeof SURFACE = { ...SURFACE, isWrite: true }

export function makeSavedSearchesTable(
  deps: WriteDeps & { readonly serve: ServeCall },
): RouteTable {
  const { metastore, clock, serve } = deps
  const { database } = metastore

  const tell = async (id: number, user: UserRecord) =>
    await database.snapshot(async (transaction) =>
      printSearch(await requireSearch(transaction, user, id), user),
    )

  const list = serve(SURFACE, async ({ given, signedIn: { user } }) => {
    const { find = '', limit = DEFAULT_LIMIT } = readParameters(given)
    const all = await database.snapshot((transaction) => listSearches(transaction, user))
    const found = all.filter((one) => isFound(one, find))
    const value: z.input<typeof savedSearchesAnswer> = {
      searches: found.slice(0, limit).map((one) => printSearch(one, user)),
      total: found.length,
    }
    return { value }
  })

  const read = serve(SURFACE, async (call) => ({
    value: await tell(readId(call), call.signedIn.user),
  }))

  const add = serve(WRITE_SURFACE, async (call) => {
    const given = readBody(savedSearchAdded, call)
    const { user } = call.signedIn
    const id = await writeAudited(
      audited('add', given.name),
      call.signedIn,
      deps,
      async (transaction) => await addSearch(transaction, user, given, clock.nowMs()),
    )
    return { value: await tell(id, user) }
  })

  const change = serve(WRITE_SURFACE, async (call) => {
    const id = readId(call)
    const given = readBody(savedSearchChanged, call)
    const { user } = call.signedIn
    await writeAudited(audited('change', String(id)), call.signedIn, deps, async (transaction) => {
      const before = await requireChangeable(transaction, user, id)
      await changeSearch(transaction, before, given, clock.nowMs())
    })
    return { value: await tellIfSeen(id, user) }
  })

  /** An administrator who takes the sharing of another's search away sees it no more. */
  const tellIfSeen = async (id: number, user: UserRecord): Promise<object> =>
    await tell(id, user).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'object.not_found') return {}
      throw error
    })

  const remove = serve(WRITE_SURFACE, async (call) => {
    const id = readId(call)
    const version = readVersion(call.given)
    const { user } = call.signedIn
    await writeAudited(audited('remove', String(id)), call.signedIn, deps, async (transaction) => {
      const before = await requireChangeable(transaction, user, id)
      await removeSearch(transaction, before, version)
    })
    return { value: {} }
  })

  const all = { path: PATH, right: 'signed-in' } as const
  const one = {
    path: `${PATH}/{search}`,
    right: 'signed-in',
    pathValues: { search: savedSearch.shape.id },
  } as const
  const told = (description: string) => ({
    description,
    content: jsonContent(okEnvelope(savedSearch)),
  })
  const bodyOf = (schema: z.ZodType) =>
    wholeBody(jsonContent(schema), { isRequired: true, maxBytes: MAX_SMALL_BODY_BYTES })
  const routes: RouteTable['routes'] = [
    {
      ...{ ...all, methods: ['GET'], body: NO_BODY, handle: list },
      parameters: savedSearchesParameters,
      document: {
        ...{ operationId: 'listSavedSearches', tags: TAGS, summary: 'Saved searches' },
        description: 'Those of the user, and those that others share.',
        answers: {
          200: {
            description: 'What is found.',
            content: jsonContent(okEnvelope(savedSearchesAnswer)),
          },
          ...failedAnswers(),
        },
      },
    },
    {
      ...{
        ...all,
        methods: ['POST'],
        sees: VIEWERS_OWN,
        body: bodyOf(savedSearchAdded),
        handle: add,
      },
      document: {
        ...{ operationId: 'addSavedSearch', tags: TAGS, summary: 'Saves a search' },
        answers: { 200: told('It is saved.'), ...failedAnswers(CHANGED) },
      },
    },
    {
      ...{ ...one, methods: ['GET'], body: NO_BODY, handle: read },
      document: {
        ...{ operationId: 'readSavedSearch', tags: TAGS, summary: 'A saved search' },
        answers: { 200: told('The search.'), ...failedAnswers() },
      },
    },
    {
      ...{
        ...one,
        methods: ['PUT'],
        sees: VIEWERS_OWN,
        body: bodyOf(savedSearchChanged),
        handle: change,
      },
      document: {
        ...{ operationId: 'changeSavedSearch', tags: TAGS, summary: 'Changes a saved search' },
        description: 'What is not given stays. `version` is the one that was read.',
        answers: {
          200: {
            description: 'It is changed; empty where the user sees it no more.',
            content: jsonContent(okEnvelope(savedSearch.partial())),
          },
          ...failedAnswers(CHANGED),
        },
      },
    },
    {
      ...{ ...one, methods: ['DELETE'], sees: VIEWERS_OWN, body: NO_BODY, handle: remove },
      parameters: removedParameters,
      document: {
        ...{ operationId: 'removeSavedSearch', tags: TAGS, summary: 'Removes a saved search' },
        answers: { 200: { description: 'It is gone.' }, ...failedAnswers(CHANGED) },
      },
    },
  ]
  return { ...ERROR_ENVELOPE, prefix: PATH, routes }
}

function audited(act: string, target: string): Audited {
  return { action: `savedSearch.${act}`, target, operation: 'signed-in' }
}

function printSearch(one: SavedSearch, viewer: UserRecord): z.input<typeof savedSearch> {
  const { ownerId, changedMs, ...rest } = one
  return {
    ...rest,
    isOwn: ownerId === viewer.id,
    mayChange: mayChangeSearch(one, viewer),
    changedAt: new Date(changedMs).toISOString(),
  }
}

function isFound({ name, description, owner, search }: SavedSearch, find: string): boolean {
  const wanted = find.trim().toLowerCase()
  return [name, description, owner, search.query].some((it) => it.toLowerCase().includes(wanted))
}

/** Fails with dashboard.parameter. */
function readParameters({ pairs }: Given): z.infer<typeof savedSearchesParameters> {
  const { limit, ...rest } = Object.fromEntries(pairs)
  const given = limit === undefined ? rest : { ...rest, limit: Number(limit) }
  const parsed = savedSearchesParameters.safeParse(given)
  if (parsed.success) return parsed.data
  throw refuseIssue(parsed.error)
}

/** Of the path. Fails with object.not_found. */
function readId({ pathValues }: RouteCall): number {
  const text = pathValues.search ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Failure('object.not_found', { kind: 'saved search', name: text })
  return Number(text)
}
