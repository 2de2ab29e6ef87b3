// Kills a working portal: `node infra/scripts/build.mjs && node --import tsx
// loadtest/portal/kill-campaign.ts [--kills 200] [--seed 1] [--postgres]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { runKillCampaign } from '../../test/support/portal/kill-campaign.ts'
import { operatorOf, startPortalProcess } from '../../test/support/portal/portal-process.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean' },
  },
})
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-kills-'))
const postgres = values.postgres ? await startPostgres() : undefined
const environment: Record<string, string> =
  postgres === undefined ? {} : { LOGEYE_PORTAL_DATABASE_URL: postgres.url }
const portal = await startPortalProcess({ dataDir, environment })
try {
  const operator = operatorOf(await portal.logeye('portal', 'init'))
  const tell = (round: number) => round % 20 === 19 && console.log(`${round + 1} kills`)
  const [kills, seed] = [Number(values.kills), Number(values.seed)]
  const report = await runKillCampaign(portal, operator, { kills, seed, tell })
  console.log(`nothing lost, nothing twice: ${JSON.stringify(report)}`)
} finally {
  await portal.stop()
  await postgres?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
