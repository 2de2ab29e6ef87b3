// A few rounds of the campaigns that are run by hand at length (docs/guides/measure.md): each is a program of its own that
// starts its own product, prints its verdict and says by its exit code whether anything was lost or doubled.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CANNOT_RUN } from '../../loadtest/support/cannot-run.ts'

const CAMPAIGNS = [
  ['kills of each process and of all', 'kill.js', ['--rounds', '8', '--seed', '1']],
  ['power cuts', 'power-cut.js', ['--rounds', '4', '--seed', '1']],
  ['a store that stands still', 'pause-store.js', ['--seconds', '5']],
  ['a full disk', 'full-disk.js', []],
] as const

describe('nothing acknowledged is lost or doubled by', () => {
  it.for(CAMPAIGNS)('%s', { timeout: 300_000 }, async ([, script, options], { skip }) => {
    const path = join(import.meta.dirname, '../../dist/loadtest/chaos', script)
    const campaign = spawn(process.execPath, [path, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [campaign.stdout, campaign.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    const [code] = await once(campaign, 'close')
    skip(code === CANNOT_RUN, output.trim())
    console.log(output.trim().split('\n').slice(-3).join('\n'))
    expect(output).toContain('lost 0, doubled 0')
    expect(code, output).toBe(0)
  })
})
