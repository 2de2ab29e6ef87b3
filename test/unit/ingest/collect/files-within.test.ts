// Who writes to a mounted share cannot have other files of this machine read by links.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { LogFiles } from '../../../../ingest/collect/log-files.ts'
import { parsePathPattern } from '../../../../ingest/collect/path-pattern.ts'
import { filesWithin } from '../../../../ingest/collect/sources/local-files.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'logeye-test-within-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('reads what lies in the directory, and no link out of it', async () => {
  const at = (...names: string[]) => join(root, ...names)
  for (const name of ['share', 'share/below', 'shares']) mkdirSync(at(name))
  writeFileSync(at('share', 'a.log'), 'mine\n')
  writeFileSync(at('secret.log'), 'secret\n')
  writeFileSync(at('shares', 'c.log'), 'of a neighbour\n')
  symlinkSync('../secret.log', at('share', 'b.log'))
  symlinkSync('../../shares/c.log', at('share', 'below', 'c.log'))
  symlinkSync('../a.log', at('share', 'below', 'd.log'))
  symlinkSync('..', at('share', 'up'))
  symlinkSync('share', at('mount'))
  let ids = 0
  const { nowMs, elapsedMs } = systemClock
  const files = new LogFiles({
    ...{ logId: 1, source: filesWithin(at('mount')), nowMs, elapsedMs },
    takeId: async () => {
      ids += 1
      return ids
    },
  })
  const patterns = ['*.log', 'below/*.log', 'up/*.log', 'up/shares/*.log']
  await files.scan(patterns.map((name) => parsePathPattern(at('mount', name))))
  expect(files.tails.map(({ path }) => path)).toEqual([at('mount', 'a.log')])
  const outside = (name: string) =>
    `${at('mount', name)}: is not read: it lies outside of ${at('mount')}`
  // Names of what lies outside are not listed either.
  const refused = ['b.log', 'below/c.log', 'up', 'up/shares']
  expect(files.faults.toSorted()).toEqual(refused.map(outside).sort())
  await files.close()
})
