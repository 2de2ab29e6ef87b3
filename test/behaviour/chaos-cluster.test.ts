// A few faults of the campaign on the Kafka form, always the same ones; hundreds are run by hand (docs/guides/measure.md). What is judged is
// the same each time, whenever a fault meets the product: nothing lost, doubled, changed or miscounted, and everything comes back by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kafkaLibs } from '../support/kafka-broker.ts'
import { postgresBin } from '../support/postgres-server.ts'
import { toxiproxyProgram } from '../support/toxiproxy.ts'

const isHere = [kafkaLibs(), postgresBin(), toxiproxyProgram()].every((it) => it !== undefined)
if (!isHere)
  process.stderr.write(
    'SKIPPED: faults on a cluster, LOGEYE_TEST_KAFKA_LIBS, LOGEYE_TEST_TOXIPROXY or PostgreSQL is missing\n',
  )
const PROGRAM = join(import.meta.dirname, '../../loadtest/chaos/cluster/main.ts')

describe.skipIf(!isHere)('a cluster under faults', () => {
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
