import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { makeLogger } from '../../../../infra/logger.ts'
import { PartSync } from '../../../../infra/store/server/part-sync.ts'

const logger = makeLogger({
  ...{ level: 'warn', process: 'test', clock: systemClock },
  write: (line) => logged.push(line),
})

let logged: string[] = []
let directory: string
let parts: string[]
let synced: string[]
let broken: string | undefined
let watch: PartSync

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-parts-'))
  logged = []
  parts = []
  synced = []
  broken = undefined
  watch = new PartSync({
    ask: () => Promise.resolve(Buffer.from(parts.map((part) => `${part}\n`).join(''))),
    logger,
    syncFile: (path) => {
      if (path === broken) return Promise.reject(new Error('the disk fails'))
      synced.push(path.slice(directory.length + 1))
      return Promise.resolve()
    },
  })
})
afterEach(() => {
  watch.stop()
  rmSync(directory, { recursive: true })
})

function merge(name: string): void {
  const part = join(directory, name)
  mkdirSync(part)
  for (const file of ['data.bin', 'skp_idx_ix_w.dct.idx', 'skp_idx_ix_w.pst.idx'])
    writeFileSync(join(part, file), '')
  parts.push(`${part}/`)
}

const indexes = (part: string) => [`${part}/skp_idx_ix_w.dct.idx`, `${part}/skp_idx_ix_w.pst.idx`]

describe('merged parts', () => {
  it('have the files of their indexes synced, each part once', async () => {
    merge('a')
    await watch.sync()
    expect(synced.sort()).toEqual(indexes('a'))
    merge('b')
    await watch.sync()
    await watch.sync()
    expect(synced.sort()).toEqual([...indexes('a'), ...indexes('b')])
  })

  it('are an error where the disk does not take them, once, and no trouble where they are gone', async () => {
    merge('a')
    merge('b')
    parts.unshift(join(directory, 'gone'))
    broken = join(directory, 'a/skp_idx_ix_w.dct.idx')
    await watch.sync()
    await watch.sync()
    expect(logged.map((line) => JSON.parse(line).message)).toEqual([
      'a merged part may not be on the disk',
    ])
    expect(synced.sort()).toEqual(indexes('b'))
  })
})
