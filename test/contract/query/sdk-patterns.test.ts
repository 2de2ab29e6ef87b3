// The commands of patterns as their users run them: the client reads the file, the server answers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSignIn } from '../../../infra/access/sign-in.ts'
import { makeSignInTelemetry } from '../../../infra/access/telemetry.ts'
import { serveRoutes } from '../../../infra/http/routes/serve-routes.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { FAILED_ENVELOPE } from '../../../query/edge/envelope.ts'
import { makeServeCall } from '../../../query/edge/serve-call.ts'
import { makeSdkTable } from '../../../query/sdk/server/sdk-table.ts'
import { SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { open, useServers } from '../../support/apps/http-server.ts'
import { callSdkClient } from '../../support/clients/call-sdk-client.ts'
import { runSdkClient } from '../../support/clients/run-sdk-client.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

useServers()

const FILE = 'test/fixtures/logs/apache-access.log'

let product: QueryDatabase
let url = ''

beforeEach(async () => {
  product = await openQueryDatabase()
  const { metastore } = product
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
  const table = makeSdkTable({ ...tools, metastore, store, serve, patterns: PATTERN_TOOLS })
  const onError = (error: Error) => FAILED_ENVELOPE.answer(error, 0)
  const options = { refuse: FAILED_ENVELOPE.refuse, onError, headers: {} }
  url = `http://127.0.0.1:${(await open({ fetch: serveRoutes([table], options) })).port}/logeye`
})
afterEach(() => product.close())

const folder = mkdtempSync(join(tmpdir(), 'logeye-test-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function writeLines(text: string): string {
  const file = join(folder, 'lines.log')
  writeFileSync(file, text)
  return file
}

/** With `stdin` in a process, since the client reads the descriptor. */
function run(words: readonly string[], stdin?: string) {
  const credentials = ['-user', 'admin', '-password', product.adminPassword]
  const all = ['-productURL', url, ...credentials, '-api', ...words]
  return stdin === undefined ? callSdkClient(all) : runSdkClient(all, { stdin })
}

describe('the commands of patterns', () => {
  it('verify a pattern on the lines of a file', async () => {
    const pattern = '{ip:Remote IP} {text:Rest} HTTP/1.1" {number:Status} {text:More}'
    const ran = await run(['verifyPattern', '-pattern', pattern, '-files', FILE, '-output', 'json'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    const { response } = JSON.parse(ran.out)
    const { events, fitting, results } = SDK_COMMANDS.verifyPattern.answer.parse(response)
    expect(events).toBe(50)
    expect(fitting).toBe(results.filter((result) => result.stop === undefined).length)
    expect(results[0]?.columns[2]).toEqual({ name: 'Status', text: '200', kind: 'number' })
  })

  it('verify lines from standard input, and say where one stops fitting', async () => {
    const words = ['verifyPattern', '-pattern', '{ip:A} {number:B}', '-files', '-']
    const { code, out } = await run(words, '10.0.0.1 200\n10.0.0.2 x\n')
    expect(code).toBe(0)
    expect(out).toContain('fitting: 1\n')
    expect(out).toContain('"stop":{"at":10,"pattern":1,"expected":"a number","found":"x"}')
  })

  it('say how many lines were not looked at', async () => {
    const file = writeLines('1\n'.repeat(1500))
    const { code, out } = await run(['verifyPattern', '-pattern', '{number:B}', '-files', file])
    expect(code).toBe(0)
    expect(out).toContain('events: 1000\nfitting: 1000\nlinesLeft: 500\n')
  })

  it('say what is wrong with a pattern and with a file', async () => {
    const wrong = await run(['verifyPattern', '-pattern', '{ipp:A}', '-files', FILE])
    expect(wrong.code).toBe(1)
    expect(wrong.err).toMatch(/-pattern: at 1: there is no type "ipp"; write one of string/)
    const many = Array.from({ length: 21 }, () => '{text:A}').join('@#@#')
    const tooMany = await run(['verifyPattern', '-pattern', many, '-files', FILE])
    expect(tooMany.err).toContain('must have at most 20 patterns')
    const missing = await run(['suggestPattern', '-files', 'test/fixtures/none.log'])
    expect(missing).toMatchObject({
      ...{ code: 2, err: 'logeye-sdk: -files: test/fixtures/none.log cannot be read\n' },
    })
    expect((await run(['suggestPattern', '-files', writeLines('\n\n')])).err).toContain(
      'no line in it',
    )
  })

  it('suggest a template, and audit none of the lines', async () => {
    const { code, out } = await run(['suggestPattern', '-files', FILE])
    expect(code).toBe(0)
    expect(out).toContain('template: Apache access\nevents: 50\nfitting: 50\n')
    const audited = await product.metastore.database.read
      .selectFrom('audit')
      .select(['action', 'target', 'details'])
      .where('action', '=', 'sdk.suggestPattern')
      .execute()
    expect(audited).toHaveLength(1)
    expect(JSON.stringify(audited)).not.toContain('Mozilla')
  })
})
