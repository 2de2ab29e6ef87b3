// The SDK channel over a real metastore, called as the client calls it, without its process.
import { makeSignIn } from '../../../infra/access/sign-in.ts'
import { makeSignInTelemetry } from '../../../infra/access/telemetry.ts'
import type { PathRules } from '../../../infra/files/path-rules.ts'
import { serveRoutes } from '../../../infra/http/routes/serve-routes.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { FAILED_ENVELOPE } from '../../../query/edge/envelope.ts'
import { makeServeCall } from '../../../query/edge/serve-call.ts'
import type { PatternTools } from '../../../query/sdk/server/pattern-tools.ts'
import { makeSdkTable } from '../../../query/sdk/server/sdk-table.ts'
import { SDK_COMMANDS, type SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { type QueryDatabase, silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'
import { makeFailingStore } from '../store/failing-store.ts'

export type SdkAnswer = {
  readonly status: number
  /** '' when it was done. */
  readonly message: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what each command answers
  readonly response: any
}

export type SdkChannel = (
  command: SdkCommandName,
  given: Readonly<Record<string, string>>,
  user?: { readonly name: string; readonly password: string },
) => Promise<SdkAnswer>

export function openSdkChannel(
  db: QueryDatabase,
  options: {
    readonly keyFile?: string
    readonly nodeName?: string
    readonly patterns?: PatternTools
    readonly pathRules?: PathRules
  } = {},
): SdkChannel {
  const { metastore } = db
  const signIn = makeSignIn({
    ...{ metastore, clock: testClock, telemetry: makeSignInTelemetry(openMetrics('test')) },
  })
  const tools = { clock: testClock, logger: silentLogger }
  const serve = makeServeCall({
    ...{ ...tools, signIn, telemetry: { finished: () => undefined } },
    ...{ limits: { defaultTimeoutMs: 1000 }, stopping: new AbortController().signal },
    keepOpen: () => undefined,
  })
  const store = makeFailingStore(() => [])
  const secretKeys = new SecretKeys(options.keyFile, testClock)
  const { nodeName, patterns, pathRules } = options
  const around = { secretKeys, nodeName, patterns, pathRules }
  const table = makeSdkTable({ ...tools, metastore, store, serve, ...around })
  const fetch = serveRoutes([table], {
    ...{ refuse: FAILED_ENVELOPE.refuse, headers: {} },
    onError: (error) => FAILED_ENVELOPE.answer(error, 0),
  })
  return async (command, given, user = { name: 'admin', password: db.adminPassword }) => {
    const credentials = Buffer.from(`${user.name}:${user.password}`).toString('base64')
    const request = new Request(`http://localhost/logeye/sdk/${command}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${credentials}` },
      body: JSON.stringify(given),
    })
    const answer = await fetch(request, { address: '10.0.0.1' })
    const envelope = (await answer.json()) as { response: unknown; errorMessage: string | null }
    if (answer.ok) SDK_COMMANDS[command].answer.parse(envelope.response)
    return {
      status: answer.status,
      message: envelope.errorMessage ?? '',
      response: envelope.response,
    }
  }
}
