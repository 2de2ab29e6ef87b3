// Backups, imports and restores that are killed while events are sent (decision 0048). One kill of
// each; LOGEYE_TEST_CUTS=20 makes it the campaign of docs/guides/measure.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../../loadtest/chaos/cut-off.ts')
const kills = process.env.LOGEYE_TEST_CUTS ?? '1'

it('loses nothing, doubles nothing, and the same command afterwards goes through', async () => {
  const words = ['--import', 'tsx', PROGRAM, '--kills', kills, '--seed', '4']
  const campaign = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [campaign.stdout, campaign.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [code] = await once(campaign, 'close')
  expect([code, output]).toEqual([0, expect.stringContaining('no fault')])
  expect(output.match(/lost 0, doubled 0/g)).toHaveLength(2)
}, 1_800_000)
