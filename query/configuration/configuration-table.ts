// The three reads of configuration under /logeye/restapi (decisions 5.2 to 5.4). They show what the
// user may view; nothing here writes.
import {
  jsonContent,
  NO_BODY,
  type RouteAnswer,
  type RouteTable,
  type ServedRoute,
  textContent,
} from '../../infra/http/routes/route.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure } from '../../schemas/failures.ts'
import { LEVEL_SEPARATOR, logPathKey, ROOT_NAME } from '../../schemas/names/log-path.ts'
import {
  logAnswer,
  logParameters,
  rowsAnswer,
  sourceParameters,
  treeAnswer,
} from '../../schemas/public-calls/configuration.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { makeAnswer } from '../edge/answer.ts'
import { CHALLENGE } from '../edge/documented-headers.ts'
import { envelope, FAILED_ENVELOPE } from '../edge/envelope.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import type { Given } from '../edge/surface.ts'
import { compareText } from './compare-text.ts'
import { describeLogs, printLogRow } from './describe-logs.ts'
import { printTree } from './print-tree.ts'
import { findParameter, READ_SURFACE, refuse } from './read-given.ts'
import { readVisibleLogs, readVisibleNodes } from './select-nodes.ts'
import { parseSourceQuery } from './source-scope.ts'

export type ConfigurationDeps = { readonly metastore: OpenedMetastore; readonly serve: ServeCall }

const SHARED = {
  methods: ['GET'],
  right: 'signed-in',
  body: NO_BODY,
} satisfies Partial<ServedRoute>
const TAGS = ['configuration']
const ROWS_TYPE = 'text/plain; charset=utf-8'

export function makeConfigurationTable({ metastore, serve }: ConfigurationDeps): RouteTable {
  const surface = { ...READ_SURFACE, failures: FAILED_ENVELOPE, answer: envelope }
  const scopeOf = (given: Given) => parseSourceQuery(findParameter(given, 'sourceQuery'))

  const tree = serve(surface, async ({ given, signedIn }) => {
    const { folders, logs } = await readVisibleNodes(metastore, signedIn.user, scopeOf(given))
    return { value: printTree(folders, logs) }
  })
  const log = serve(surface, async ({ given, signedIn }) => {
    const path = requireParameter(given, 'logPath')
    const name = requireParameter(given, 'logName')
    const key = logPathKey(levelsOf(path), name)
    const logs = await readVisibleLogs(metastore, signedIn.user)
    const found = logs.filter((one) => logPathKey(one.folder, one.name) === key)
    const [described] = await describeLogs(metastore, found)
    if (described === undefined) throw new Failure('object.not_found', { kind: 'log', name: key })
    return { value: described }
  })
  const logs = serve(surface, async ({ given, signedIn, request }) => {
    const found = await readVisibleLogs(metastore, signedIn.user, scopeOf(given))
    const described = await describeLogs(metastore, found)
    const rows = described
      .sort((a, b) => compareText(a.path, b.path) || compareText(a.name, b.name))
      .map(printLogRow)
    if (wantsJson(request)) return { value: rows }
    const text = rows.map((row) => `${row}\n`).join('')
    return { response: makeAnswer(text, { status: 200, type: ROWS_TYPE }) }
  })

  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...SHARED,
        path: '/logeye/restapi/folders-and-logs-configuration',
        parameters: sourceParameters,
        handle: tree,
        document: {
          operationId: 'foldersAndLogsConfiguration',
          tags: TAGS,
          summary: 'The tree of folders and logs',
          answers: {
            200: {
              description: 'What the user may view: folders first, each by name.',
              content: jsonContent(treeAnswer),
            },
            ...REFUSED,
          },
        },
      },
      {
        ...SHARED,
        path: '/logeye/restapi/log-configuration',
        parameters: logParameters,
        handle: log,
        document: {
          operationId: 'logConfiguration',
          tags: TAGS,
          summary: 'The definition of one log',
          answers: {
            200: { description: 'The definition.', content: jsonContent(logAnswer) },
            ...REFUSED,
            404: failed('There is no such log, or the user may not view it.'),
          },
        },
      },
      {
        ...SHARED,
        path: '/logeye/restapi/logs-configuration',
        parameters: sourceParameters,
        handle: logs,
        document: {
          operationId: 'logsConfiguration',
          tags: TAGS,
          summary: 'The definitions of many logs, a row each',
          description:
            'Columns with " | " between them: type, id, name, description, path, appTags, collection policy, patterns, files paths, account name, char set, time zone, data filter query. Inside a value | and line ends are spaces.',
          answers: {
            200: {
              description: 'Rows by path and name; with Accept: application/json in the envelope.',
              content: { ...textContent('text/plain'), ...jsonContent(rowsAnswer) },
            },
            ...REFUSED,
          },
        },
      },
    ],
  }
}

function requireParameter(given: Given, name: string): string {
  const value = findParameter(given, name)
  if (value === undefined) throw refuse(name, 'is missing')
  return value
}

/** `ROOT->Web->Edge`, also without ROOT. */
function levelsOf(path: string): string[] {
  if (path === '') return []
  const levels = path.split(LEVEL_SEPARATOR)
  return levels[0] === ROOT_NAME ? levels.slice(1) : levels
}

function wantsJson(request: Request): boolean {
  return /(^|,)\s*application\/json\s*(;|,|$)/i.test(request.headers.get('accept') ?? '')
}

function failed(description: string, headers?: RouteAnswer['headers']): RouteAnswer {
  const content = jsonContent(failedEnvelopeAnswer)
  return { description, ...(headers === undefined ? {} : { headers }), content }
}

const REFUSED = {
  400: failed('A parameter is missing or wrong.'),
  401: failed('Sign-in failed.', CHALLENGE),
  403: failed('Called by a page of another site.'),
}
