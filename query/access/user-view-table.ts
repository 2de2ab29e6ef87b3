// What one user may see, worked out with his rights, for whoever manages users: GET
// /logeye/api/user-view. Nobody learns by it of a folder or log that he may not view himself
// (docs/decisions/0083); each look is in the audit log.
import type { z } from 'zod'
import { mayDo } from '../../infra/access/may-do.ts'
import { jsonContent, NO_BODY, type RouteTable } from '../../infra/http/routes/route.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import type { FolderRecord, LogRecord } from '../../infra/metastore/tree/port.ts'
import { Failure } from '../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../schemas/names/log-path.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { userView, userViewParameters } from '../../schemas/public-calls/user-view.ts'
import { okEnvelope } from '../../schemas/search-json/answers.ts'
import { shortenOperations, type UserRecord } from '../../schemas/users.ts'
import { compareText } from '../configuration/compare-text.ts'
import { findParameter, READ_SURFACE, refuse } from '../configuration/read-given.ts'
import { readVisibleNodes } from '../configuration/select-nodes.ts'
import { envelope, FAILED_ENVELOPE } from '../edge/envelope.ts'
import type { SearchAudit } from '../edge/search-audit.ts'
import type { ServeCall } from '../edge/serve-call.ts'

export type UserViewDeps = {
  readonly metastore: OpenedMetastore
  readonly serve: ServeCall
  readonly audit: SearchAudit
}

export function makeUserViewTable({ metastore, serve, audit }: UserViewDeps): RouteTable {
  const surface = {
    ...READ_SURFACE,
    failures: FAILED_ENVELOPE,
    answer: envelope,
    bug: { phrase: 'user view failed', code: 'request.internal' },
  }

  const handle = serve(surface, async (call) => {
    const { given, signedIn, asked } = call
    const name = findParameter(given, 'user')?.trim() ?? ''
    if (name === '') throw refuse('user', 'is missing')
    asked.audit = (outcome) =>
      audit.add({ action: 'user.view', target: name, details: 'none' }, signedIn, outcome)
    if (!mayDo(signedIn.user, 'system.security')) throw new Failure('rights.missing')
    const user = await metastore.users.find(name)
    if (user === undefined) throw new Failure('object.not_found', { kind: 'user', name })
    return { value: await tellView(metastore, user, signedIn.user) }
  })

  const failed = (description: string) => ({
    description,
    content: jsonContent(failedEnvelopeAnswer),
  })
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...{ methods: ['GET'], path: '/logeye/api/user-view', right: 'signed-in' },
        ...{ parameters: userViewParameters, body: NO_BODY, handle },
        document: {
          ...{ operationId: 'userView', tags: ['configuration'] },
          summary: 'What a user may see and do',
          description: 'For whoever has the operation system.security. It is audited.',
          answers: {
            200: {
              description: 'Of what the caller may view, too.',
              content: jsonContent(okEnvelope(userView)),
            },
            400: failed('The user is not named.'),
            401: failed('Sign-in failed.'),
            403: failed('The caller may not manage users.'),
            404: failed('There is no such user.'),
            500: failed('An internal error.'),
            503: failed('The database is away.'),
          },
        },
      },
    ],
  }
}

async function tellView(
  metastore: OpenedMetastore,
  user: UserRecord,
  caller: UserRecord,
): Promise<z.input<typeof userView>> {
  const [own, his, tree, access, membership] = await Promise.all([
    readVisibleNodes(metastore, caller, undefined),
    user.isEnabled
      ? readVisibleNodes(metastore, user, undefined)
      : Promise.resolve({ folders: [], logs: [] }),
    metastore.tree(),
    metastore.nodeAccess(user),
    metastore.membership(user),
  ])
  const [ownFolders, ownLogs] = [idsOf(own.folders), idsOf(own.logs)]
  const mayChange = mayDo(user, 'data.logs')
  const folders = his.folders
    .filter(({ id }) => ownFolders.has(id))
    .map((folder) => ({
      path: pathOf(tree.folders, folder).join(LEVEL_SEPARATOR),
      kind: 'folder' as const,
      mayEdit: mayChange && access.mayEdit({ kind: 'folder', id: folder.id }),
    }))
  const logs = his.logs
    .filter(({ id }) => ownLogs.has(id))
    .map(({ id, folder, name }) => ({
      path: [...folder, name].join(LEVEL_SEPARATOR),
      kind: 'log' as const,
      mayEdit: mayChange && access.mayEdit({ kind: 'log', id }),
    }))
  const ids = membership?.groups ?? new Set<number>()
  const groups = await metastore.database.read
    .selectFrom('user_groups')
    .select(['id', 'name'])
    .orderBy('name')
    .execute()
  return {
    ...{ user: user.name, displayName: user.displayName, isEnabled: user.isEnabled },
    isAdministrator: user.isAdministrator,
    operations: shortenOperations([...user.operations]),
    groups: groups.filter(({ id }) => ids.has(id)).map(({ name }) => name),
    nodes: [...folders, ...logs].sort((a, b) => compareText(a.path, b.path)),
    total: { folders: own.folders.length, logs: own.logs.length },
    hidden: his.logs.length - logs.length,
  }
}

function idsOf(nodes: readonly (FolderRecord | LogRecord)[]): ReadonlySet<number> {
  return new Set(nodes.map(({ id }) => id))
}

/** From the root on. */
function pathOf(folders: ReadonlyMap<number, FolderRecord>, folder: FolderRecord): string[] {
  const levels: string[] = []
  for (
    let at: FolderRecord | undefined = folder;
    at !== undefined;
    at = folders.get(at.parentId ?? 0)
  )
    levels.unshift(at.name)
  return levels
}
