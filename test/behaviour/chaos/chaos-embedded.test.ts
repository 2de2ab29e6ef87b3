// A short campaign of faults on the embedded form (docs/guides/measure.md has the long ones), and
// that a campaign sees what it is there to see. The seeds are fixed: a commit is refused for what
// it does, not by luck.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CANNOT_RUN } from '../../../loadtest/chaos/cannot-run.ts'

const PROGRAMS = join(import.meta.dirname, '../../../loadtest/chaos')
const LIMIT = { timeout: 300_000 }

async function run(
  program: string,
  ...options: string[]
): Promise<{ code: number; output: string }> {
  const campaign = spawn(
    process.execPath,
    ['--import', 'tsx', join(PROGRAMS, program), ...options],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [campaign.stdout, campaign.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(campaign, 'close')
  return { code: Number(code), output }
}

describe('a campaign of faults on the embedded form', () => {
  let campaign = { code: -1, output: '' }
  beforeAll(async () => {
    const plan = ['--faults', '25', '--round', '10', '--seed', '11', '--kept', '4']
    campaign = await run('campaign.ts', ...plan)
  }, 300_000)

  it('loses nothing and doubles nothing in 25 faults, and the processes counted right', () => {
    const { code, output } = campaign
    console.log(output.trim().split('\n').slice(-5).join('\n'))
    expect(output).toContain('lost 0, doubled 0')
    // Of the older days that are archived, deleted from and let go meanwhile.
    expect(output).toMatch(/[1-9]\d* events deleted/)
    expect(output).toContain('dropped compared 1 times')
    expect(code, output).toBe(0)
  })

  it('cuts the power and fills the disk, too', ({ skip }) => {
    const notTried = /^not tried: (.*)$/m.exec(campaign.output)?.[1]
    skip(notTried !== undefined, notTried)
    expect(campaign.output).toContain('form embedded (own disk)')
  })

  it(
    'finds doubles where the writer does not look, and losses where answers come before the flush',
    LIMIT,
    async () => {
      const { code, output } = await run('campaign.ts', '--prove', '--seed', '1', '--faults', '4')
      expect(output).toMatch(/sabotage look-up: [1-9]\d* doubled found/)
      expect(output).toMatch(/sabotage flush: [1-9]\d* lost found/)
      expect(code, output).toBe(0)
    },
  )
})

describe('a campaign of damages to a stopped directory', () => {
  it(
    'takes what is lost, changed or of an older moment without a word for silent',
    LIMIT,
    async () => {
      const { code, output } = await run('damage.ts', '--prove', '--seed', '3')
      expect(output).toContain('planted nothing: judged right')
      expect(output.match(/^planted .*: judged silent/gm)).toHaveLength(3)
      expect(code, output).toBe(0)
    },
  )
})

describe('a disk that is full to the last byte', () => {
  it(
    'refuses events with the reason, lets searches be, and gives everything back with room',
    LIMIT,
    async ({ skip }) => {
      const { code, output } = await run('full-disk.ts')
      skip(code === CANNOT_RUN, output.trim().split('\n').at(-1))
      expect(output).toContain('lost 0, doubled 0, wrong in all 0')
      expect(code, output).toBe(0)
    },
  )
})
