#!/usr/bin/env node
// logeye-sdk: configuration writes from the command line (decision 8.1).
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConfigurationAnswer } from '../../../schemas/object-report.ts'
import { type Call, parseArguments } from './arguments.ts'
import { askPassword } from './ask-password.ts'
import { type Ending, EXIT_CODES } from './exit-codes.ts'
import { printHelp } from './help.ts'
import { printAnswer } from './print-answer.ts'
import { printConfigurationAnswer } from './print-configuration-answer.ts'
import { readFiles } from './read-files.ts'
import { sendCall } from './send-call.ts'
import { sendPlanned } from './send-planned.ts'
import { KEYSTORE_NAME, readTrustStore } from './trust-store.ts'
import { withEnvironment } from './with-environment.ts'

async function main(words: readonly string[]): Promise<Ending> {
  const line = parseArguments(words)
  switch (line.kind) {
    case 'help':
      process.stdout.write(printHelp(line.command))
      return 'done'
    case 'wrong':
      return fail('wrongUsage', line.reason)
    case 'call':
      return run(line)
  }
}

async function run(call: Call): Promise<Ending> {
  const trust = readTrustStore({
    file: call.keystore,
    defaultFile: join(dirname(fileURLToPath(import.meta.url)), KEYSTORE_NAME),
    password: call.keystorePassword,
  })
  if ('fault' in trust) return fail('wrongUsage', trust.fault)
  if (call.isInsecure)
    process.stderr.write(
      'warning: -insecure, the certificate is not checked: anyone between client and server can read the password\n',
    )
  const files = readFiles(call.command, call.commandArguments)
  if ('fault' in files) return fail('wrongUsage', files.fault)
  for (const note of files.notes) process.stderr.write(`note: ${note}\n`)
  const authorization = await readAuthorization(call)
  if (authorization === 'none') return fail('wrongUsage', '-password is missing')
  const given = withEnvironment(call.command, files.commandArguments, readVariable)
  const send = (commandArguments: Readonly<Record<string, string>>) =>
    sendCall({
      url: new URL(call.command, call.url),
      body: JSON.stringify(commandArguments),
      authorization,
      trust: trust.options,
      isInsecure: call.isInsecure,
      timeoutMs: call.timeoutMs,
    })
  const reply =
    call.command === 'apply'
      ? await sendPlanned(given, send, (plan) => showPlan(call, plan))
      : await send(given)
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

/** 'none': a user is named and no password is to be had. */
async function readAuthorization(call: Call): Promise<string | undefined | 'none'> {
  const token = call.token ?? (call.user === undefined ? readVariable('LOGEYE_TOKEN') : undefined)
  if (token !== undefined) return `Bearer ${token}`
  if (call.user === undefined) return undefined
  const password =
    call.password ??
    readVariable('LOGEYE_PASSWORD') ??
    (await askPassword(process.stdin, process.stderr))
  if (password === undefined) return 'none'
  return `Basic ${Buffer.from(`${call.user}:${password}`, 'utf8').toString('base64')}`
}

function fail(ending: Ending, reason: string): Ending {
  process.stderr.write(`logeye-sdk: ${reason}\n`)
  return ending
}

// Not process.exit: what was printed into a pipe must arrive.
process.exitCode = EXIT_CODES[await main(process.argv.slice(2))].code
