// The client against a real server with the SDK channel.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSignIn } from '../../../infra/access/sign-in.ts'
import { makeSignInTelemetry } from '../../../infra/access/telemetry.ts'
import { serveRoutes } from '../../../infra/http/routes/serve-routes.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { FAILED_ENVELOPE } from '../../../query/edge/envelope.ts'
import { makeServeCall } from '../../../query/edge/serve-call.ts'
import { makeSdkTable } from '../../../query/sdk/server/sdk-table.ts'
import { Failure } from '../../../schemas/failures.ts'
import { isSdkCommandName, SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { open, useServers } from '../../support/apps/http-server.ts'
import { callSdkClient as run } from '../../support/clients/call-sdk-client.ts'
import { runSdkClient } from '../../support/clients/run-sdk-client.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../support/database/query-database.ts'
import { readerOf } from '../../support/database/reader.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

useServers()

const TLS = {
  certificateFile: 'test/fixtures/tls/certificate.pem',
  keyFile: 'test/fixtures/tls/key.pem',
}
const TRUST_STORE = 'test/fixtures/tls/trust-store.p12'

let product: QueryDatabase
let metastore: OpenedMetastore
let plainUrl = ''
let strangers: Server[] = []

beforeEach(async () => {
  product = await openQueryDatabase()
  metastore = product.metastore
  plainUrl = `http://127.0.0.1:${(await open({ fetch: answer() })).port}/logeye`
})
afterEach(async () => {
  for (const stranger of strangers) stranger.close()
  strangers = []
  await product.close()
})

function answer() {
  const telemetry = makeSignInTelemetry(openMetrics('test'))
  const signIn = makeSignIn({ metastore, clock: testClock, telemetry })
  const store = makeFailingStore(() => [])
  const tools = { clock: testClock, logger: silentLogger }
  const serve = makeServeCall({
    ...{ ...tools, signIn, telemetry: { finished: () => undefined } },
    ...{ limits: { defaultTimeoutMs: 1000 }, stopping: new AbortController().signal },
    keepOpen: () => undefined,
  })
  const table = makeSdkTable({ ...tools, metastore, store, serve })
  const onError = (error: Error) => FAILED_ENVELOPE.answer(error, 0)
  return serveRoutes([table], { refuse: FAILED_ENVELOPE.refuse, onError, headers: {} })
}

const client = (url = plainUrl) => ['-productURL', url, '-user', 'admin']
const asAdmin = (command: string, ...words: string[]) =>
  run([...client(), '-password', product.adminPassword, '-api', command, ...words])

async function post(command: string, body: unknown, headers: Record<string, string> = {}) {
  const credentials = Buffer.from(`admin:${product.adminPassword}`).toString('base64')
  const response = await fetch(`${plainUrl}/sdk/${command}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${credentials}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const envelope = (await response.json()) as { response: unknown }
  if (response.ok && isSdkCommandName(command))
    SDK_COMMANDS[command].answer.parse(envelope.response)
  return { status: response.status, envelope }
}

const audited = () =>
  metastore.database.read
    .selectFrom('audit')
    .select(['user_name', 'address', 'action', 'target', 'result', 'details'])
    .where('action', 'like', 'sdk.%')
    .orderBy('id')
    .execute()

describe('logeye-sdk', () => {
  it('answers what was done, with the token, when this process cannot see it yet', async () => {
    const refresh = () => Promise.reject(new Failure('database.unavailable'))
    Object.assign(metastore, { refresh })
    const { status, envelope } = await post('addListener', { name: 'unseen' })
    expect({ status, envelope }).toMatchObject({
      status: 200,
      envelope: { response: { name: 'unseen', token: expect.any(String) } },
    })
    expect(await audited()).toMatchObject([{ result: 'done' }])
  })

  it('makes an account whose token works at once, changes it, disables and removes it', async () => {
    const added = await asAdmin(
      'addListener',
      '-name',
      'edge',
      '-parentFolder',
      'Web->Edge',
      '-output',
      'json',
    )
    expect(added).toMatchObject({ code: 0, err: '' })
    const { response, success } = JSON.parse(added.out)
    expect(success).toBe(true)
    SDK_COMMANDS.addListener.answer.parse(response)
    const accepted = () => metastore.accountByToken(response.token)
    expect(accepted()).toMatchObject({ name: 'edge', parentFolder: ['Web', 'Edge'], version: 1 })

    const again = await asAdmin('addListener', '-name', 'Edge')
    expect(again.code).toBe(1)
    expect(again.err).toBe(
      'logeye-sdk: the account Edge exists already, give -update true to change it\n',
    )
    const changed = await asAdmin(
      ...(['addListener', '-name', 'edge', '-update'] as const),
      ...['-splitBySource', 'Create Log by IP Mask', '-ipMask', '16', '-appTags', 'Shop,shop,Web'],
    )
    expect(changed).toMatchObject({ code: 0, out: expect.stringContaining('version: 2\n') })
    expect(changed.out).not.toContain('token')
    expect(accepted()).toMatchObject({
      version: 2,
      parentFolder: ['Web', 'Edge'],
      sourceSplit: 'mask',
      maskBitsV4: 16,
      appTags: ['Shop', 'Web'],
    })
    expect((await asAdmin('enableAccount', '-name', 'edge', '-enabled', 'false')).code).toBe(0)
    expect(accepted()).toBeUndefined()
    expect((await post('enableAccount', { name: 'edge', enabled: 'true' })).status).toBe(200)
    expect(accepted()).toMatchObject({ version: 4 })
    expect((await post('removeAccount', { name: 'edge' })).status).toBe(200)
    expect(accepted()).toBeUndefined()
    const gone = await asAdmin('removeAccount', '-name', 'edge')
    expect(gone).toMatchObject({ code: 1, err: 'logeye-sdk: there is no account edge\n' })
  })

  it('manages users and who may view what', async () => {
    const [log] = await metastore.addLogs([makeNewLog({ folder: ['Web'], name: 'access' })])
    const add = ['-action', 'add', '-userName', 'ann', '-userPassword', '-secret word-']
    expect((await asAdmin('securityUsers', ...add)).code).toBe(0)
    const ann = (await metastore.users.find('ann'))?.id ?? 0
    expect(await metastore.visibleLogs(readerOf(ann))).toEqual(new Set([log?.id]))
    const hide = ['-path', 'Web->access', '-type', 'log', '-viewGroups', 'administrators']
    expect((await asAdmin('setPermissions', ...hide)).code).toBe(0)
    expect(await metastore.visibleLogs(readerOf(ann))).toEqual(new Set())
    const inherit = { path: 'Web->access', type: 'log', inherit: 'true' }
    expect(await post('setPermissions', inherit)).toMatchObject({
      envelope: { response: { path: 'ROOT->Web->access', inherit: true } },
    })
    expect(await metastore.visibleLogs(readerOf(ann))).toEqual(new Set([log?.id]))

    const asAnn = ['-productURL', plainUrl, '-user', 'Ann']
    const refused = await run([...asAnn, '-password', '-secret word-', '-api', 'settings', '-list'])
    expect(refused).toMatchObject({ code: 1, err: 'logeye-sdk: this user may not do that\n' })
    const promote = { action: 'edit', userName: 'ann', groups: 'administrators' }
    expect((await post('securityUsers', promote)).status).toBe(200)
    const listed = await run([...asAnn, '-password', '-secret word-', '-api', 'settings', '-list'])
    expect(listed.code).toBe(0)
    const remove = (userName: string) => post('securityUsers', { action: 'remove', userName })
    expect((await remove('ann')).status).toBe(200)
    expect(await remove('admin')).toMatchObject({
      envelope: { errorMessage: 'the last enabled administrator cannot be removed' },
    })
  })

  it('reads and changes settings', async () => {
    const set = await asAdmin('settings', '-set', 'system.dateFormat=yyyy-MM-dd HH:mm:ss')
    expect(set).toMatchObject({ code: 0, out: 'system.dateFormat: yyyy-MM-dd HH:mm:ss\n' })
    expect(metastore.setting('system.dateFormat')).toBe('yyyy-MM-dd HH:mm:ss')
    const got = await asAdmin('settings', '-get', 'widgets.searchAPI.maxNumOfRecords')
    expect(got.out).toBe('widgets.searchAPI.maxNumOfRecords: 100\n')
    const listed = await asAdmin('settings', '-list', '-output', 'json')
    expect(Object.keys(JSON.parse(listed.out).response)).toContain('system.timeZone')
    const reset = await asAdmin('settings', '-reset', 'system.dateFormat')
    expect(reset).toMatchObject({ code: 0, out: 'system.dateFormat: MM/dd/yyyy HH:mm:ss\n' })
    expect(metastore.setting('system.dateFormat')).toBe('MM/dd/yyyy HH:mm:ss')
    await asAdmin('settings', '-set', 'system.timeZone=Asia/Kathmandu')
    const machine = new Intl.DateTimeFormat().resolvedOptions().timeZone
    const zone = await asAdmin('settings', '-reset', 'system.timeZone')
    expect(zone.out).toBe(`system.timeZone: ${machine}\n`)
  })

  it('works without credentials while security is off', async () => {
    await asAdmin('settings', '-security', 'false')
    const ran = await run(['-productURL', plainUrl, '-api', 'settings', '-get', 'system.security'])
    expect(ran).toMatchObject({ code: 0, out: 'system.security: false\n' })
    expect((await audited()).at(-1)).toMatchObject({ user_name: 'anonymous' })
  })

  it('is a program: takes the password from the environment and from what is piped in', async () => {
    const words = [...client(), '-api', 'settings', '-get', 'system.security']
    expect(await runSdkClient(words, { password: product.adminPassword })).toMatchObject({
      ...{ code: 0, out: 'system.security: true\n' },
    })
    expect((await runSdkClient(words, { stdin: `${product.adminPassword}\nmore` })).code).toBe(0)
    expect(await runSdkClient(words, { stdin: '' })).toMatchObject({
      code: 2,
      err: 'logeye-sdk: -password is missing\n',
    })
  })

  it('tells wrong usage without asking the product', async () => {
    const nowhere = ['-productURL', 'http://127.0.0.1:1/logeye', '-user', 'u', '-password', 'p']
    for (const words of [
      [],
      [...nowhere, '-api', 'nope'],
      [...nowhere, '-api', 'removeAccount', '-nme', 'x'],
    ])
      expect((await run(words)).code).toBe(2)
    const ran = await run([...nowhere, '-api', 'addListener', '-name', 'x', '-indexingNode', 'n'])
    expect(ran).toMatchObject({
      code: 2,
      err: 'logeye-sdk: -indexingNode: every writer indexes what it stores, no node can be chosen\n',
    })
  })

  it('prints help of the client and of a command', async () => {
    const all = await run(['-help'])
    expect(all).toMatchObject({ code: 0, out: expect.stringContaining('setPermissions') })
    const one = await run(['-api', 'addListener', '-help'])
    expect(one.out).toContain('-splitColumns env->service->host*')
  })

  it('tells a failed sign-in from what cannot be reached', async () => {
    const words = ['-api', 'settings', '-list', '-output', 'json']
    const failed = await run([...client(), '-password', 'wrong', ...words])
    expect(failed.code).toBe(4)
    expect(JSON.parse(failed.out)).toMatchObject({ success: false, httpStatusCode: 401 })
    const nobody = await run([...client('http://127.0.0.1:1/logeye'), '-password', 'p', ...words])
    expect(nobody).toMatchObject({ code: 3, err: 'logeye-sdk: nothing answers at this address\n' })
  })

  it('gives up on a server that never answers, and on one that is no product', async () => {
    const ports: number[] = []
    const silent = createServer(() => {})
    const other = createServer((_, response) => response.end('<html>hello</html>'))
    strangers = [silent, other]
    for (const stranger of strangers) {
      await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
      const address = stranger.address() as AddressInfo
      ports.push(address.port)
    }
    const to = (port: number | undefined) => [
      ...client(`http://127.0.0.1:${port}/logeye`),
      '-password',
      'p',
      '-api',
      'settings',
      '-list',
    ]
    expect(await run([...to(ports[0]), '-timeout', '1'])).toMatchObject({
      code: 3,
      err: 'logeye-sdk: no answer within 1 s\n',
    })
    silent.closeAllConnections()
    expect(await run(to(ports[1]))).toMatchObject({
      code: 3,
      err: 'logeye-sdk: something else answers there (HTTP 200)\n',
    })
  })

  it('trusts what its keystore names, PEM or PKCS#12 of Java, and nothing else unless told aloud', async () => {
    const { port } = await open({ fetch: answer(), tls: TLS })
    const words = [
      ...[...client(`https://localhost:${port}/logeye`), '-password', product.adminPassword],
      ...['-api', 'settings', '-get', 'system.security'],
    ]
    expect(await run(words)).toMatchObject({
      code: 3,
      err: 'logeye-sdk: the certificate is not trusted, put it into .keystore\n',
    })
    expect((await run([...words, '-keystore', TLS.certificateFile])).code).toBe(0)
    const store = ['-keystore', TRUST_STORE]
    expect((await run([...words, ...store, '-keystorePassword', 'changeit'])).code).toBe(0)
    expect((await run([...words, ...store, '-keystorePassword', 'wrong'])).code).toBe(2)
    expect((await run([...words, ...store])).err).toContain('-keystorePassword is missing')
    expect((await run([...words, '-keystore', 'no/such/file'])).code).toBe(2)
    const insecure = await run([...words, '-insecure'])
    expect(insecure).toMatchObject({ code: 0, err: expect.stringContaining('warning: -insecure') })
  })
})

describe('POST /logeye/sdk/<command>', () => {
  it('answers with the envelope and the same HTTP status', async () => {
    expect(await post('settings', { get: 'system.security' })).toEqual({
      status: 200,
      envelope: {
        success: true,
        errorMessage: null,
        response: { 'system.security': 'true' },
        httpStatusCode: 200,
      },
    })
    const cases = [
      ['nope', {}, 404, 'there is no command nope'],
      ['removeAccount', { name: 'x' }, 404, 'there is no account x'],
      [
        'removeAccount',
        { name: 'x', force: 'true' },
        400,
        '-force: is not an argument of this command',
      ],
      ['removeAccount', {}, 400, '-name: is missing'],
      ['removeAccount', { name: 7 }, 400, 'the body must be a JSON object of texts'],
      ['removeAccount', '[', 400, 'the body must be a JSON object of texts'],
      [
        'addListener',
        { name: 'x', collectionPolicy: 'Gold' },
        404,
        'there is no collection policy Gold',
      ],
      [
        'addListener',
        { name: 'Default' },
        409,
        'the account Default exists already, give -update true to change it',
      ],
      [
        'addListener',
        { name: 'x', listeningNode: 'n' },
        400,
        '-listeningNode: this system has one listening node, which receives everything',
      ],
      [
        'addListener',
        { name: 'Defau1t' },
        409,
        'the name "Defau1t" looks like that of another account',
      ],
      [
        'securityUsers',
        { action: 'add', userName: 'system', userPassword: 'long enough' },
        400,
        '-userName: this name is reserved',
      ],
      [
        'setPermissions',
        { path: 'System', type: 'folder', viewGroups: '' },
        409,
        'the folder System is built in and cannot be changed',
      ],
    ] as const
    for (const [command, body, httpStatusCode, errorMessage] of cases)
      expect(await post(command, body)).toEqual({
        status: httpStatusCode,
        envelope: { success: false, errorMessage, response: null, httpStatusCode },
      })
  })

  it('refuses without credentials, and what a form on a foreign page could send', async () => {
    expect((await post('settings', { list: 'true' }, { authorization: '' })).status).toBe(401)
    const form = { 'content-type': 'text/plain' }
    expect((await post('settings', { set: 'system.security=false' }, form)).status).toBe(400)
    await metastore.refresh()
    expect(metastore.isSecurityOn()).toBe(true)
  })

  it('audits who did what with which result, never a secret', async () => {
    await product.addUser('ann', 'her password')
    await post('securityUsers', { action: 'add', userName: 'bob', userPassword: 'topsecret1' })
    await post('securityUsers', { action: 'add', userName: 'bob', userPasword: 'topsecret2' })
    await post('removeAccount', { name: 'nope' })
    const credentials = Buffer.from('ann:her password').toString('base64')
    await post('settings', { list: 'true' }, { authorization: `Basic ${credentials}` })
    const entries = await audited()
    const facts = { user_name: 'admin', address: '127.0.0.1' }
    expect(entries).toMatchObject([
      { ...facts, action: 'sdk.securityUsers', target: 'bob', result: 'done' },
      { ...facts, action: 'sdk.securityUsers', target: 'bob', result: 'sdk.argument' },
      { ...facts, action: 'sdk.removeAccount', target: 'nope', result: 'object.not_found' },
      { ...facts, user_name: 'ann', action: 'sdk.settings', result: 'rights.missing' },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/topsecret|her password/)
  })

  it('makes the change and its audit entry together or not at all', async () => {
    await metastore.database.write((transaction) => transaction.schema.dropTable('audit').execute())
    expect((await post('settings', { set: 'system.timeZone=Asia/Tokyo' })).status).toBe(500)
    await metastore.refresh()
    expect(metastore.setting('system.timeZone')).not.toBe('Asia/Tokyo')
  })
})
