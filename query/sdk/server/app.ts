// POST /logeye/sdk/<command>: the private channel of the command line and the console (decisions
// 7.4, 8.3). JSON in, the restapi envelope out. Every call is audited: a change in the change's own
// transaction, a refusal after it.
import { Hono } from 'hono'
import { z } from 'zod'
import type { SignedIn, SignIn } from '../../../infra/access/sign-in.ts'
import type { Clock } from '../../../infra/clock.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import type { AuditEntry } from '../../../infra/metastore/audit/port.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import {
  isSdkCommandName,
  listArguments,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import { envelope, envelopeOf } from '../../envelope.ts'
import { COMMANDS } from './commands.ts'
import { type ReplayRejected, refuseReplay } from './replay-events.ts'

export type SdkAppDeps = {
  readonly metastore: OpenedMetastore
  readonly store: Pick<Store, 'command'>
  /** HTTP Basic only: no credentials in addresses here. */
  readonly signIn: SignIn
  readonly clock: Clock
  readonly logger: Logger
  /** Absent: refused. */
  readonly replayRejected?: ReplayRejected | undefined
}

type Env = { Bindings: { readonly address: string } }

const MAX_AUDITED_CHARACTERS = 1000

/** Mount at /logeye/sdk. */
export function makeSdkApp(deps: SdkAppDeps): Hono<Env> {
  const { metastore, store, signIn, clock, logger, replayRejected = refuseReplay } = deps
  const tools = { clock, database: metastore.database, store, replayRejected }
  const app = new Hono<Env>()

  async function run(call: SdkCall): Promise<unknown> {
    const { command, given, signedIn } = call
    const { operation } = SDK_COMMANDS[command]
    if (!signedIn.user.isAdministrator && !signedIn.user.operations.has(operation))
      throw new Failure('rights.missing')
    const work = await COMMANDS[command].prepare(given, tools)
    const entry = auditEntry(call, 'done')
    const response = await metastore.database.write(async (transaction) => {
      const done = await work(transaction)
      await insertAudit(transaction, [{ entry, atMs: clock.nowMs() }])
      return done
    })
    // Others learn of it within a second; the caller's next request may come to this process at
    // once.
    await metastore.refresh()
    return response
  }

  async function auditRefusal(call: SdkCall, error: unknown): Promise<void> {
    const result = isFailure(error) ? error.code : 'request.internal'
    try {
      await metastore.audit(auditEntry(call, result))
    } catch (auditError) {
      logger.error('refused command not audited', describeError(auditError))
    }
  }

  app.post('/:command', async (context) => {
    try {
      const signedIn = await signIn({
        parameters: [],
        authorization: context.req.header('authorization'),
        address: context.env.address,
      })
      const command = context.req.param('command')
      if (!isSdkCommandName(command)) throw new Failure('sdk.unknown_command', { command })
      const given = await readArguments(context.req.raw)
      const call: SdkCall = { command, given, signedIn }
      try {
        return envelope(await run(call))
      } catch (error) {
        await auditRefusal(call, error)
        throw error
      }
    } catch (error) {
      if (!isFailure(error)) logger.error('sdk command failed', describeError(error))
      return envelopeOf(error)
    }
  })
  return app
}

type SdkCall = {
  readonly command: SdkCommandName
  readonly given: Readonly<Record<string, string>>
  readonly signedIn: SignedIn
}

const argumentsSchema = z.record(z.string(), z.string())

/** A JSON object of texts. The content type is required: a form on a foreign page cannot send
 *  it. */
async function readArguments(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Failure('request.invalid', { reason: 'the content type must be application/json' })
  const parsed = argumentsSchema.safeParse(parseJson(await request.text()))
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

function auditEntry({ command, given, signedIn }: SdkCall, result: string): AuditEntry {
  const published = new Map(listArguments(command).map((one) => [one.name, one]))
  const details: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const argument = published.get(name)
    // An unknown name may be a secret with a slip of the finger in its name.
    const isShown = argument !== undefined && argument.isSecret !== true
    details[name.slice(0, 100)] = isShown ? value.slice(0, MAX_AUDITED_CHARACTERS) : '***'
  }
  return {
    userId: signedIn.user.id,
    userName: signedIn.user.name,
    address: signedIn.address,
    action: `sdk.${command}`,
    target: details[SDK_COMMANDS[command].target] ?? '',
    result,
    details,
  }
}
