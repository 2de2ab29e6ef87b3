// A call of logeye-sdk: configuration writes from the command line (decision 8.1).
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../infra/clock.ts'
import type { ConfigurationAnswer } from '../../../schemas/object-report.ts'
import { type Call, type ImportCall, parseArguments } from './arguments.ts'
import { askPassword, askWhetherToGoOn } from './ask-password.ts'
import { beginClientSession } from './client-session.ts'
import type { Ending } from './exit-codes.ts'
import { printHelp } from './help.ts'
import { runImport } from './import/run-import.ts'
import { plainText } from './plain-text.ts'
import type { Connection } from './post-body.ts'
import { printAnswer } from './print-answer.ts'
import { printCompletion } from './print-completion.ts'
import { printConfigurationAnswer } from './print-configuration-answer.ts'
import { readFiles } from './read-files.ts'
import { cutPatch, sendPatch } from './send/send-patch.ts'
import { sendPlanned } from './send/send-planned.ts'
import { type Reply, type SentCall, sendCall } from './send-call.ts'
import { KEYSTORE_NAME, readTrustStore } from './trust-store.ts'
import { withEnvironment } from './with-environment.ts'

type Given = Readonly<Record<string, string>>

/** The streams, variables and signals of the process that runs the client. */
export type ClientProcess = {
  readonly stdin: Parameters<typeof askPassword>[0]
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  once(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown
}

/** Prints the answer, or the reason of a failure; does not end the process. */
export async function runClient(words: readonly string[], process: ClientProcess): Promise<Ending> {
  const line = parseArguments(words)
  switch (line.kind) {
    case 'help':
      process.stdout.write(printHelp(line.command))
      return 'done'
    case 'completion':
      process.stdout.write(printCompletion(line.shell))
      return 'done'
    case 'wrong':
      return fail(process, 'wrongUsage', line.reason)
    case 'call':
      return run(line, process)
    case 'import':
      return takeIn(line, process)
  }
}

async function run(call: Call, process: ClientProcess): Promise<Ending> {
  const connection = readConnection(call, process)
  if ('fault' in connection) return fail(process, 'wrongUsage', connection.fault)
  const patch = call.command === 'addPatch' ? cutPatch(call.commandArguments) : { calls: [] }
  if ('fault' in patch) return fail(process, 'wrongUsage', patch.fault)
  const files =
    patch.calls.length > 0
      ? { commandArguments: call.commandArguments, notes: [] }
      : readFiles(call.command, call.commandArguments)
  if ('fault' in files) return fail(process, 'wrongUsage', files.fault)
  for (const note of files.notes) process.stderr.write(`note: ${note}\n`)
  const given = withEnvironment(call.command, files.commandArguments, (name) => process.env[name])
  const credentials = await readCredentials(call, process)
  if (credentials.kind === 'missing') return fail(process, 'wrongUsage', '-password is missing')
  const url = new URL(call.command, call.url)
  const base: SentCall = { url, body: '', headers: headersOf(credentials), connection }
  const { signInCode: code } = call
  if (code === undefined || credentials.kind !== 'password')
    return tell(call, await sendCommand(call, base, given, patch.calls, process), process)
  const session = await beginClientSession(base, { ...credentials.pair, code })
  if (session.kind !== 'session') return tell(call, session, process)
  const signedIn = { ...base, headers: session.headers }
  const reply = await sendCommand(call, signedIn, given, patch.calls, process)
  await session.end()
  return tell(call, reply, process)
}

async function sendCommand(
  call: Call,
  base: SentCall,
  given: Given,
  patch: readonly (() => Given)[],
  { stdout }: ClientProcess,
): Promise<Reply> {
  const send = (commandArguments: Given) =>
    sendCall({ ...base, body: JSON.stringify(commandArguments) })
  if (patch.length > 0) return await sendPatch(patch, send)
  return call.command === 'apply'
    ? await sendPlanned(given, send, (plan) => showPlan(call, plan, stdout))
    : await send(given)
}

function tell(call: Call, reply: Reply, process: ClientProcess): Ending {
  if (reply.kind === 'unreachable') return fail(process, 'unreachable', reply.reason)
  const { envelope, status } = reply
  if (call.output === 'json') process.stdout.write(`${JSON.stringify(envelope)}\n`)
  else if (envelope.success) process.stdout.write(printAnswer(envelope.response))
  if (envelope.success) return 'done'
  const reason = envelope.errorMessage ?? 'refused'
  return fail(process, status === 401 ? 'signInFailed' : 'refused', reason)
}

/** For programs, the answer says the same. */
function showPlan(call: Call, plan: ConfigurationAnswer, stdout: NodeJS.WritableStream): void {
  if (call.output === 'text') stdout.write(printConfigurationAnswer(plan))
}

async function takeIn(call: ImportCall, process: ClientProcess): Promise<Ending> {
  const connection = readConnection(call, process)
  if ('fault' in connection) return fail(process, 'wrongUsage', connection.fault)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const { ending, reason, answer } = await runImport(call.given, {
    productUrl: new URL('../', call.url),
    connection,
    clock: systemClock,
    output: process.stderr,
    confirm: () => askWhetherToGoOn(process.stdin, process.stderr),
    stop: stopping.signal,
  })
  if (answer !== undefined) {
    const text = call.output === 'json' ? `${JSON.stringify(answer)}\n` : printAnswer(answer)
    process.stdout.write(text)
  }
  return reason === undefined ? ending : fail(process, ending, reason)
}

function readConnection(
  call: Call | ImportCall,
  { stderr }: ClientProcess,
): Connection | { readonly fault: string } {
  const { isInsecure, timeoutMs } = call
  const trust = readTrustStore({
    file: call.keystore,
    defaultFile: join(dirname(fileURLToPath(import.meta.url)), KEYSTORE_NAME),
    password: call.keystorePassword,
  })
  if ('fault' in trust) return trust
  if (isInsecure)
    stderr.write(
      'warning: -insecure, the certificate is not checked: anyone between client and server can read the password\n',
    )
  return { trust: trust.options, isInsecure, timeoutMs }
}

type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly pair: { user: string; password: string } }
  /** A user is named and no password is to be had. */
  | { readonly kind: 'missing' }

async function readCredentials(
  { user, ...call }: Call,
  { env, stdin, stderr }: ClientProcess,
): Promise<Credentials> {
  const token = call.token ?? (user === undefined ? env.LOGEYE_TOKEN : undefined)
  if (token !== undefined) return { kind: 'token', token }
  if (user === undefined) return { kind: 'none' }
  const password = call.password ?? env.LOGEYE_PASSWORD ?? (await askPassword(stdin, stderr))
  return password === undefined
    ? { kind: 'missing' }
    : { kind: 'password', pair: { user, password } }
}

function headersOf(credentials: Credentials): Record<string, string> {
  if (credentials.kind === 'token') return { authorization: `Bearer ${credentials.token}` }
  if (credentials.kind !== 'password') return {}
  const { user, password } = credentials.pair
  const encoded = Buffer.from(`${user}:${password}`, 'utf8').toString('base64')
  return { authorization: `Basic ${encoded}` }
}

function fail({ stderr }: ClientProcess, ending: Ending, reason: string): Ending {
  stderr.write(`logeye-sdk: ${plainText(reason)}\n`)
  return ending
}
