// A few faults of the campaign on the Kafka form, always the same ones; hundreds are run by hand
// (docs/guides/measure.md). What is judged is the same each time, whenever a fault meets the
// product: nothing lost, doubled, changed or miscounted, and everything comes back by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { postgresMissing } from '../../support/database/postgres-server.ts'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { toxiproxyMissing } from '../../support/network/toxiproxy.ts'
import { describeUnless } from '../../support/run/skip.ts'

const MISSING = kafkaMissing() ?? postgresMissing() ?? toxiproxyMissing()
const PROGRAM = join(import.meta.dirname, '../../../loadtest/chaos/cluster/main.ts')

describeUnless(MISSING, 'a cluster under faults', () => {
  it('loses, doubles and miscounts nothing by 15 of them', { timeout: 300_000 }, async () => {
    const options = ['--faults', '15', '--seed', '15', '--round', '15']
    const campaign = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [campaign.stdout, campaign.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const [code] = await once(campaign, 'close')
    console.log(output.trim().split('\n').slice(-4).join('\n'))
    expect(output).toContain('nothing lost, nothing doubled')
    expect(code, output).toBe(0)
  })
})
