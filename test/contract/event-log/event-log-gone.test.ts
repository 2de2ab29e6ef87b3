// The files of the embedded event log taken away while it runs: nothing is acknowledged that lies
// in files nobody finds again.
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { testClock } from '../../support/run/test-clock.ts'

const SIZES = { maxBytes: 256 << 20, maxBlockBytes: 16 << 20, clock: testClock }
const GONE = { code: 'event_log.gone' }

let dataDir: string
let log: EventLog

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-gone-'))
  log = await openEventLog({ dataDir, ...SIZES })
  await log.append(0, Buffer.from('a'))
})
afterEach(async () => {
  await log.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function expectGone(): Promise<void> {
  await expect(log.append(0, Buffer.from('lost'))).rejects.toMatchObject(GONE)
  await expect(log.savePosition(0, { next: 1, metadata: '' })).rejects.toMatchObject(GONE)
  await expect(log.status(0)).rejects.toMatchObject(GONE)
  await expect(log.read(0, 0, { maxBytes: 1, waitMs: 0 })).rejects.toMatchObject(GONE)
}

describe('the embedded event log', () => {
  it.for([
    ['the data directory', '.'],
    ['its own directory', 'event-log'],
    ['a partition', 'event-log/partition-0'],
    ['a file', 'event-log/partition-0/data.mdb'],
  ])('acknowledges nothing once %s is removed', async ([, path = '']) => {
    rmSync(join(dataDir, path), { recursive: true })
    await expectGone()
  })

  it('acknowledges nothing into files that others have taken the place of', async () => {
    renameSync(join(dataDir, 'event-log'), join(dataDir, 'moved'))
    const other = await openEventLog({ dataDir, ...SIZES })
    await other.append(0, Buffer.from('of the other'))
    await expectGone()
    await other.close()
  })

  it('goes on when the directory is back', async () => {
    renameSync(join(dataDir, 'event-log'), join(dataDir, 'moved'))
    await expectGone()
    renameSync(join(dataDir, 'moved'), join(dataDir, 'event-log'))
    await log.append(0, Buffer.from('b'))
    expect(await log.position(0)).toMatchObject({ next: 1 })
  })
})
