// Who knows of a monitor: its owner, administrators, and whoever reads all alerts. Whether it
// fails, and how often, tells of logs that others may not view.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'

const PASSWORD = 'a good password'
const SEALED = 'zyxeal'
const OF_ADMIN = `Of ${SEALED}`
const OWN = 'Of ben'

let pipeline: SearchPipeline
let world: MonitorWorld
let directory: string

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-others-'))
  world = openMonitorWorld(pipeline, { keyFile: join(directory, 'secrets.key') })
  const person = async (userName: string, operations: string) => {
    const policyName = `of ${userName}`
    await world.run('securityPolicies', { action: 'add', policyName, operations })
    const user = { action: 'add', userName, userPassword: PASSWORD, policy: policyName }
    await world.run('securityUsers', user)
  }
  await person('ben', 'data.monitors')
  await person('olga', 'data.monitors,system.alerts')
  const given = { query: `* ${SEALED}`, description: SEALED, schedule: 'every 1m' }
  await world.run('addMonitor', { name: OF_ADMIN, ...given })
  await world.run('addMonitor', { name: OWN, query: 'pay', schedule: 'every 1m' }, ben())
  const night = { cron: '0 2 * * 0', minutes: '60', description: SEALED }
  await world.run('addMaintenanceWindow', { name: `Of ${SEALED}`, monitors: OF_ADMIN, ...night })
  const both = `${OF_ADMIN},${OWN}`
  await world.run('addMaintenanceWindow', { name: 'Of both', ...night, monitors: both })
  await world.run('addMaintenanceWindow', { name: 'Of all', ...night })
  for (const name of ['Of both', 'Of all'])
    await world.run('addMaintenanceWindow', { name, description: '', update: 'true' })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const ben = () => world.as('ben', PASSWORD)
const olga = () => world.as('olga', PASSWORD)

describe('somebody else’s monitor', () => {
  test('is in no answer', async () => {
    for (const [command, given] of [
      ['monitors', {}],
      ['list', { type: 'monitor', details: 'true' }],
      ['list', { type: 'maintenanceWindow', details: 'true' }],
      ['exportAll', {}],
    ] as const)
      expect(JSON.stringify(await world.run(command, given, ben()))).not.toContain(SEALED)
    expect(await world.run('monitors', {}, ben())).toMatchObject({ monitors: [{ name: OWN }] })
  })

  test('is not there for whoever asks for it by name', async () => {
    const name = OF_ADMIN
    for (const [command, given] of [
      ['monitors', { name }],
      ['monitors', { name, runNow: 'true' }],
      ['monitors', { name, muteUntil: '1h' }],
      ['testMonitor', { name }],
      ['addMonitor', { name, query: '*', update: 'true' }],
      ['addMaintenanceWindow', { name: 'Mine', monitors: name, cron: '0 2 * * 0', minutes: '60' }],
      ['exportObject', { type: 'monitor', name }],
      ['duplicate', { type: 'monitor', name, newName: 'Copy' }],
      ['removeObject', { type: 'monitor', name }],
    ] as const)
      await expect(world.run(command, given, ben()), command).rejects.toThrow(`no monitor ${name}`)
  })

  test('is not told by a maintenance window', async () => {
    const { objects } = Object(
      await world.run('list', { type: 'maintenanceWindow', details: 'true' }, ben()),
    )
    expect(objects).toMatchObject([
      { name: 'Of all', arguments: { monitors: '' } },
      { name: 'Of both', arguments: { monitors: OWN } },
    ])
    for (const [name, refused] of [
      [`Of ${SEALED}`, 'no maintenance window'],
      ['Of both', 'may not do that'],
      ['Of all', 'may not do that'],
    ] as const)
      for (const [command, given] of [
        ['addMaintenanceWindow', { name, update: 'true', minutes: '30' }],
        ['removeObject', { type: 'maintenanceWindow', name }],
      ] as const)
        await expect(world.run(command, given, ben()), `${command} ${name}`).rejects.toThrow(
          refused,
        )
  })

  test('is not named to whoever takes a name like it, or imports one', async () => {
    const like = OF_ADMIN.replace('l', '1')
    const night = { monitors: OWN, cron: '0 2 * * 0', minutes: '60' }
    const told: string[] = []
    for (const [command, given] of [
      ['addMonitor', { name: like, query: '*' }],
      ['addMaintenanceWindow', { name: like, ...night }],
      ['addMonitor', { name: OF_ADMIN.toUpperCase(), query: '*' }],
      ['addMaintenanceWindow', { name: OF_ADMIN.toUpperCase(), ...night }],
    ] as const)
      told.push(await world.run(command, given, ben()).then(() => '', String))
    expect(told).toHaveLength(4)
    for (const text of told) {
      expect(text).toMatch(/already|like/)
      expect(text).not.toContain(SEALED)
    }
  })

  test('is no hindrance to a window of one’s own, once it is removed', async () => {
    const given = { query: 'pay', schedule: 'never' }
    await world.run('addMonitor', { name: 'Second of ben', ...given }, ben())
    const night = { cron: '0 2 * * 0', minutes: '60', monitors: `${OWN},Second of ben` }
    await world.run('addMaintenanceWindow', { name: 'Of two', ...night }, ben())
    await world.run('removeObject', { type: 'monitor', name: 'Second of ben' }, ben())
    const window = { type: 'maintenanceWindow', name: 'Of two' }
    expect(await world.run('exportObject', window, ben())).toMatch(`monitors: ${OWN}`)
    await world.run(
      'addMaintenanceWindow',
      { name: 'Of two', minutes: '30', update: 'true' },
      ben(),
    )
    await world.run('removeObject', window, ben())
  })

  test('is known to whoever reads all alerts, who changes nothing', async () => {
    expect(await world.run('monitors', {}, olga())).toMatchObject({
      monitors: [{ name: OWN }, { name: OF_ADMIN }],
    })
    for (const [command, given] of [
      ['addMonitor', { name: OF_ADMIN, query: '*', update: 'true' }],
      ['monitors', { name: OF_ADMIN, muteUntil: '1h' }],
      ['removeObject', { type: 'monitor', name: OF_ADMIN }],
    ] as const)
      await expect(world.run(command, given, olga()), command).rejects.toThrow('rights of admin')
  })
})
