// POST /logeye/sdk/<command>: the private channel of the command line and the console (decisions
// 7.4, 8.3). JSON in, the restapi envelope out. Every call is audited: a change in the change's own
// transaction, a refusal after it.
import { z } from 'zod'
import type { CheckPassword } from '../../../infra/access/check-password.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { PathRules } from '../../../infra/files/path-rules.ts'
import {
  jsonContent,
  type RouteCall,
  type RouteTable,
  wholeBody,
} from '../../../infra/http/routes/route.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import {
  findFixed,
  requireSight,
  runWithinRights,
} from '../../../infra/metastore/run-within-rights.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import type { Store } from '../../../infra/store/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { CommandEntry } from '../../../schemas/sdk/argument.ts'
import { isSdkCommandName, SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { readVisibleLogs } from '../../configuration/select-nodes.ts'
import { envelope, FAILED_ENVELOPE } from '../../edge/envelope.ts'
import type { ServeCall } from '../../edge/serve-call.ts'
import type { Given, Outcome, Surface } from '../../edge/surface.ts'
import { auditEntry, type SdkCall } from './audit-entry.ts'
import { COMMANDS } from './commands.ts'
import { type Examine, refuseExamine } from './examine.ts'
import { makeFindEvents } from './keep/deletion-tools.ts'
import { type LifecycleTools, NO_LIFECYCLE } from './lifecycle-tools.ts'
import { refuseMask, type TryMask } from './mask-tools.ts'
import { type MonitorTools, refuseMonitors } from './monitor-tools.ts'
import {
  type GatheredChange,
  makeObjectTools,
  noteChange,
  requireOperation,
} from './object-tools.ts'
import { makePathTools, NO_ROOTS } from './path-tools.ts'
import { type PatternTools, refusePatterns } from './pattern-tools.ts'
import { type ReplayRejected, refuseReplay } from './replay-events.ts'
import { requireEditableBelow, requireEditableNode } from './require-editable-node.ts'
import { requireVisibleNode, requireVisibleTag } from './require-visible-node.ts'
import { Afterwards, type CommandWork } from './serve-command.ts'

export type SdkDeps = {
  readonly metastore: OpenedMetastore
  readonly store: Pick<Store, 'command' | 'query' | 'catchUp' | 'cluster'>
  /** With what is being deleted; default `store`. */
  readonly wholeStore?: Pick<Store, 'query' | 'catchUp' | 'cluster'>
  readonly serve: ServeCall
  readonly clock: Clock
  readonly logger: Logger
  /** Absent: refused. */
  readonly replayRejected?: ReplayRejected | undefined
  /** Absent: no password is right. */
  readonly checkPassword?: CheckPassword
  /** Absent: refused. */
  readonly patterns?: PatternTools | undefined
  /** Absent: refused. */
  readonly tryMask?: TryMask | undefined
  /** Absent: refused. */
  readonly examine?: Examine | undefined
  /** Absent: refused. */
  readonly lifecycle?: LifecycleTools | undefined
  /** Absent: only administrators give paths. */
  readonly pathRules?: PathRules | undefined
  /** Absent: secrets are refused. */
  readonly secretKeys?: SecretKeys | undefined
  readonly nodeName?: string | undefined
  /** Absent: refused, or without mail. */
  readonly monitorTools?: MonitorTools | undefined
}

const SDK_SURFACE: Surface<Given, unknown> = {
  // In headers only: no credentials in addresses here.
  read: () => ({ pairs: [] }),
  answer: envelope,
  failures: FAILED_ENVELOPE,
  bug: { phrase: 'sdk command failed', code: 'request.internal' },
  isCounted: false,
  isWrite: true,
}

export function makeSdkTable(deps: SdkDeps): RouteTable {
  const { metastore, store, serve, clock, logger } = deps
  const { replayRejected = refuseReplay, patterns = refusePatterns, tryMask = refuseMask } = deps
  const { examine = refuseExamine, lifecycle = NO_LIFECYCLE, nodeName = 'node' } = deps
  const { secretKeys = new SecretKeys(undefined, clock) } = deps
  const own = { clock, database: metastore.database, store, secretKeys, nodeName }
  const { checkPassword = async () => undefined, pathRules = NO_ROOTS } = deps
  const { monitorTools = refuseMonitors(clock) } = deps
  const tools = {
    ...own,
    ...monitorTools,
    settings: metastore,
    wholeStore: deps.wholeStore ?? store,
    replayRejected,
    patterns,
    tryMask,
    lifecycle,
    checkPassword,
  }

  function prepare(call: SdkCall, change: GatheredChange): Promise<CommandWork<unknown>> {
    const { command, given } = call
    const { user } = call.signedIn
    requireRight(call)
    noteChange(change, SDK_COMMANDS[command])
    return COMMANDS[command].prepare(given, {
      ...tools,
      examine: () => examine(user),
      findEvents: makeFindEvents(metastore),
      caller: call.signedIn,
      paths: makePathTools(pathRules, user),
      requireVisible: (place) => requireVisibleNode(metastore, user, place),
      visibleLogs: () => readVisibleLogs(metastore, user),
      requireEditable: (place) => requireEditableNode(metastore, user, place),
      requireEditableBelow: (levels) => requireEditableBelow(metastore, user, levels),
      requireVisibleTag: (name) => requireVisibleTag(metastore, user, name),
      requireSight: (transaction, findConcerns) => requireSight(transaction, user, findConcerns),
      findFixed: (transaction, paths) => findFixed(transaction, user, paths),
      withinRights: (transaction, work) => runWithinRights(transaction, user, change, work),
      objects: makeObjectTools(metastore, user, change, (command, given) =>
        prepareAudited({ ...call, command, given }, change),
      ),
    })
  }

  async function prepareAudited(
    call: SdkCall,
    change: GatheredChange,
  ): Promise<CommandWork<unknown>> {
    const work = await prepare(call, change)
    const entry = auditEntry(call, 'done')
    return async (transaction) => {
      const done = await work(transaction)
      await insertAudit(transaction, [{ entry, atMs: clock.nowMs() }])
      return done
    }
  }

  async function run(call: SdkCall): Promise<unknown> {
    const change: GatheredChange = { operations: [], paths: new Set() }
    const work = await prepareAudited(call, change)
    const { user } = call.signedIn
    const done = await metastore.database.write((transaction) =>
      runWithinRights(transaction, user, change, () => work(transaction)),
    )
    // Others learn of it within a second; the caller's next request may come to this process at
    // once.
    await metastore.refresh().catch((error: unknown) => {
      // It is done, and the answer may hold what is shown once: a token.
      logger.warn('a change is not seen yet by this process', describeError(error))
    })
    return done instanceof Afterwards ? await done.finish() : done
  }

  /** What is done is audited by its own transaction. */
  async function auditRefusal(call: SdkCall, { result }: Outcome): Promise<void> {
    if (result === 'done') return
    try {
      await metastore.audit(auditEntry(call, result))
    } catch (auditError) {
      logger.error('refused command not audited', describeError(auditError))
    }
  }

  const handle = serve(SDK_SURFACE, async ({ request, body, pathValues, signedIn, asked }) => {
    const { command = '' } = pathValues
    if (!isSdkCommandName(command)) throw new Failure('sdk.unknown_command', { command })
    const call: SdkCall = { command, given: readArguments({ request, body }), signedIn }
    asked.audit = (outcome) => auditRefusal(call, outcome)
    return { value: await run(call) }
  })
  const path = '/logeye/sdk/{command}'
  const body = wholeBody(jsonContent(argumentsSchema), { isRequired: true })
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...{ methods: ['POST'], path, right: 'signed-in', body, handle },
        // As the command.
        sees: { kind: 'objects' },
        // Of the command line of the same version: no part of the public interface (decision 8.3).
        document: 'private',
      },
    ],
  }
}

/** Throws rights.missing, sign_in.not_by_token. */
function requireRight({ command, given, signedIn }: SdkCall): void {
  const entry: CommandEntry = SDK_COMMANDS[command]
  const { isDelegated, refusesTokens = [] } = entry
  if (isDelegated !== true) requireOperation(signedIn.user, entry)
  const isRefused =
    refusesTokens === true || refusesTokens.some((argument) => Object.hasOwn(given, argument))
  if (isRefused && signedIn.by.kind === 'token') throw new Failure('sign_in.not_by_token')
}

const argumentsSchema = z.record(z.string(), z.string())

/** A JSON object of texts. The content type is required: a form on a foreign page cannot send
 *  it. */
function readArguments({
  request,
  body,
}: Pick<RouteCall, 'request' | 'body'>): Record<string, string> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Failure('request.invalid', { reason: 'the content type must be application/json' })
  const parsed = argumentsSchema.safeParse(parseJson(new TextDecoder().decode(body)))
  if (parsed.success) return parsed.data
  throw new Failure('request.invalid', { reason: 'the body must be a JSON object of texts' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
