// A portal that is killed while it works; two hundred times by hand:
// loadtest/portal/kill-campaign.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runKillCampaign } from '../../support/portal/kill-campaign.ts'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../support/portal/portal-process.ts'
import { readSeed } from '../../support/run/seed.ts'

const KILLS = 10
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-kills-'))
let portal: PortalProcess

beforeAll(async () => {
  portal = await startPortalProcess({ dataDir })
})
afterAll(async () => {
  await portal?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('loses and doubles no heartbeat, offer, licence, movement or answer when it is killed', async () => {
  const operator = operatorOf(await portal.logeye('portal', 'init'))
  const seed = readSeed('LOGEYE_KILL_SEED', 1)
  const report = await runKillCampaign(portal, operator, { kills: KILLS, seed })
  expect(report).toMatchObject({ kills: KILLS, offers: 2 * KILLS, grants: 4 * KILLS })
  expect(report.broken).toBeGreaterThan(0)
})
