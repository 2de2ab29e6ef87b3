#!/usr/bin/env node
// logeye-sdk: configuration writes from the command line (decision 8.1).
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../infra/clock.ts'
import type { ConfigurationAnswer } from '../../../schemas/object-report.ts'
import { type Call, type ImportCall, parseArguments } from './arguments.ts'
import { askPassword, askWhetherToGoOn } from './ask-password.ts'
import { beginClientSession } from './client-session.ts'
import { type Ending, EXIT_CODES } from './exit-codes.ts'
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

async function main(words: readonly string[]): Promise<Ending> {
  const line = parseArguments(words)
  switch (line.kind) {
    case 'help':
      process.stdout.write(printHelp(line.command))
      return 'done'
    case 'completion':
      process.stdout.write(printCompletion(line.shell))
      return 'done'
    case 'wrong':
      return fail('wrongUsage', line.reason)
    case 'call':
      return run(line)
    case 'import':
      return takeIn(line)
  }
}

async function run(call: Call): Promise<Ending> {
  const connection = readConnection(call)
  if ('fault' in connection) return fail('wrongUsage', connection.fault)
  const patch = call.command === 'addPatch' ? cutPatch(call.commandArguments) : { calls: [] }
  if ('fault' in patch) return fail('wrongUsage', patch.fault)
  const files =
    patch.calls.length > 0
      ? { commandArguments: call.commandArguments, notes: [] }
      : readFiles(call.command, call.commandArguments)
  if ('fault' in files) return fail('wrongUsage', files.fault)
  for (const note of files.notes) process.stderr.write(`note: ${note}\n`)
  const given = withEnvironment(call.command, files.commandArguments, readVariable)
  const credentials = await readCredentials(call)
  if (credentials.kind === 'missing') return fail('wrongUsage', '-password is missing')
  const url = new URL(call.command, call.url)
  const base: SentCall = { url, body: '', headers: headersOf(credentials), connection }
  const { signInCode: code } = call
  if (code === undefined || credentials.kind !== 'password')
    return tell(call, await sendCommand(call, base, given, patch.calls))
  const session = await beginClientSession(base, { ...credentials.pair, code })
  if (session.kind !== 'session') return tell(call, session)
  const reply = await sendCommand(call, { ...base, headers: session.headers }, given, patch.calls)
  await session.end()
  return tell(call, reply)
}

async function sendCommand(
  call: Call,
  base: SentCall,
  given: Given,
  patch: readonly (() => Given)[],
): Promise<Reply> {
  const send = (commandArguments: Given) =>
    sendCall({ ...base, body: JSON.stringify(commandArguments) })
  if (patch.length > 0) return await sendPatch(patch, send)
  return call.command === 'apply'
    ? await sendPlanned(given, send, (plan) => showPlan(call, plan))
    : await send(given)
}

function tell(call: Call, reply: Reply): Ending {
  if (reply.kind === 'unreachable') return fail('unreachable', reply.reason)
  const { envelope, status } = reply
  if (call.output === 'json') process.stdout.write(`${JSON.stringify(envelope)}\n`)
  else if (envelope.success) process.stdout.write(printAnswer(envelope.response))
  if (envelope.success) return 'done'
  const reason = envelope.errorMessage ?? 'refused'
  return fail(status === 401 ? 'signInFailed' : 'refused', reason)
}

/** For programs, the answer says the same. */
function showPlan(call: Call, plan: ConfigurationAnswer): void {
  if (call.output === 'text') process.stdout.write(printConfigurationAnswer(plan))
}

function readVariable(name: string): string | undefined {
  // biome-ignore lint/style/noProcessEnv: the client is a program of its own; decision 8.1 and files of the caller name variables
  return process.env[name]
}

async function takeIn(call: ImportCall): Promise<Ending> {
  const connection = readConnection(call)
  if ('fault' in connection) return fail('wrongUsage', connection.fault)
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
  return reason === undefined ? ending : fail(ending, reason)
}

function readConnection(call: Call | ImportCall): Connection | { readonly fault: string } {
  const { isInsecure, timeoutMs } = call
  const trust = readTrustStore({
    file: call.keystore,
    defaultFile: join(dirname(fileURLToPath(import.meta.url)), KEYSTORE_NAME),
    password: call.keystorePassword,
  })
  if ('fault' in trust) return trust
  if (isInsecure)
    process.stderr.write(
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

async function readCredentials({ user, ...call }: Call): Promise<Credentials> {
  const token = call.token ?? (user === undefined ? readVariable('LOGEYE_TOKEN') : undefined)
  if (token !== undefined) return { kind: 'token', token }
  if (user === undefined) return { kind: 'none' }
  const password =
    call.password ??
    readVariable('LOGEYE_PASSWORD') ??
    (await askPassword(process.stdin, process.stderr))
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

function fail(ending: Ending, reason: string): Ending {
  process.stderr.write(`logeye-sdk: ${plainText(reason)}\n`)
  return ending
}

// Not process.exit: what was printed into a pipe must arrive.
process.exitCode = EXIT_CODES[await main(process.argv.slice(2))].code
