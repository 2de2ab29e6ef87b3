// A user with the right to change collection policies or alert targets, and without the right to
// view the events, lets none of them come to a server of theirs (docs/decisions/0137). All servers
// listen.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { startForwarderOn } from '../../support/forward/forwarder.ts'
import { type OtherSide, startOtherSide } from '../../support/forward/other-side.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type HookReceiver, startHookReceiver } from '../../support/portal/hook-receiver.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const PASSWORD = 'a good password'
const HIDDEN = 'hidden gold'
const VAULT = 'Events->Vault'

let pipeline: SearchPipeline
let world: MonitorWorld
let directory: string
let own: HookReceiver
let theirs: HookReceiver
let theirKafka: OtherSide
let mails: MailSink

beforeAll(async () => {
  ;[pipeline, own, theirs, theirKafka, mails] = await Promise.all([
    openSearchPipeline(),
    startHookReceiver(),
    startHookReceiver(),
    startOtherSide({ isSilent: true }),
    startMailSink(),
  ])
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-redirected-'))
  const keyFile = join(directory, 'secrets.key')
  world = openMonitorWorld(pipeline, { keyFile, mailUrl: mails.url })
  for (const operation of ['data.policies', 'data.accounts']) {
    const policy = { action: 'add', policyName: operation, operations: operation }
    await world.run('securityPolicies', policy)
    await pipeline.db.addUser(operation, PASSWORD)
    await world.run('securityUsers', { action: 'edit', userName: operation, policy: operation })
  }
  await world.run('addFolder', { name: 'Events' })
  await world.run('addFolder', { name: 'Vault', parentFolder: 'Events' })
  const nobody = { viewGroups: '', viewUsers: '', editGroups: '', editUsers: '' }
  await world.run('setPermissions', { path: VAULT, type: 'folder', ...nobody })
  await world.run('addCollectionPolicy', { name: 'vaulted', forwardTo: `${own.url}/vaulted` })
  const ofDefault = { name: 'Default', forwardTo: `${own.url}/audit`, update: 'true' }
  await world.run('addCollectionPolicy', ofDefault)
  await world.run('addLog', { name: 'gold', parentFolder: VAULT, collectionPolicy: 'vaulted' })
  const signingSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const target = { name: 'desk', type: 'webhook', targetURL: `${own.url}/alert`, signingSecret }
  await world.run('addAlertTarget', target)
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await Promise.all([own?.close(), theirs?.close(), mails?.close()])
  theirKafka?.close()
  rmSync(directory, { recursive: true, force: true })
})

const send = () => {
  const receivedMs = world.clock.nowMs()
  const timestamp = new Date(receivedMs).toISOString()
  const event = { timestamp, productPath: 'Vault', productName: 'gold', message: HIDDEN }
  return pipeline.ingest([event], { receivedMs })
}

type Given = Readonly<Record<string, string>>

/** Gives the HTTP status. */
async function change(command: SdkCommandName, user: string, given: Given): Promise<number> {
  return (await world.as(user, PASSWORD).do(command, given)).httpStatusCode ?? 0
}

const bodiesAt = ({ got }: HookReceiver, path: string) =>
  got.filter((one) => one.path.startsWith(`/hook/${path}`)).map(({ body }) => body)

describe('who may change collection policies alone', () => {
  it('receives no events of hidden logs and of the audit log', async () => {
    const to = (name: string, forwardTo: string) =>
      change('addCollectionPolicy', 'data.policies', { name, forwardTo, update: 'true' })
    const policy = { name: 'vaulted', forwardTo: `${theirs.url}/vaulted` }
    const file = JSON.stringify({ collectionPolicy: [policy] })
    const statuses = [
      await to('vaulted', policy.forwardTo),
      await change('apply', 'data.policies', { file }),
      await to('Default', theirKafka.kafkaAddress),
    ]
    await send()
    await pipeline.copyAudit()
    const { keyFile, readArrived, engine, db } = pipeline
    const forwarder = startForwarderOn({
      ...{ metastore: db.metastore, store: engine.store, keyFile, readArrived },
    })
    onTestFinished(() => forwarder.stop())
    // To one of both: each policy sends its events to one address.
    await waitUntil('both policies have sent', () => {
      const vaulted = [own, theirs].flatMap((it) => bodiesAt(it, 'vaulted'))
      const hasDefault = bodiesAt(own, 'audit').length > 0 || theirKafka.connections() > 0
      return vaulted.length > 0 && hasDefault
    })
    expect({
      statuses,
      ...{ theirs: theirs.got.map(({ body }) => body), theirKafka: theirKafka.connections() },
    }).toEqual({ statuses: [403, 403, 403], theirs: [], theirKafka: 0 })
    expect(bodiesAt(own, 'vaulted').join()).toContain(HIDDEN)
    expect(bodiesAt(own, 'audit').join()).toContain('sdk.addCollectionPolicy')
  })
})

describe('who may change alert targets alone', () => {
  it("receives no rows of an administrator's alerts", async () => {
    const given = { query: `"${HIDDEN}" in log.gold`, schedule: 'every 1m', actions: 'desk' }
    await world.run('addMonitor', { name: 'of the vault', ...given })
    const target = { name: 'desk', targetURL: `${theirs.url}/alert`, update: 'true' }
    // A file changes no secret such as the URL of a target that is there.
    const file = JSON.stringify({ alertTarget: [{ name: 'desk', type: 'mail', to: 'a@b.test' }] })
    const statuses = [
      await change('addAlertTarget', 'data.accounts', target),
      await change('apply', 'data.accounts', { file }),
    ]
    await send()
    await world.tick()
    await world.deliver()
    expect({ statuses, theirs: theirs.got.map(({ body }) => body), mails: mails.mails }).toEqual({
      ...{ statuses: [403, 403], theirs: [], mails: [] },
    })
    expect(bodiesAt(own, 'alert').join()).toContain(HIDDEN)
  })
})
