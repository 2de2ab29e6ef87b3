// Damage of the embedded event log is named before LMDB opens it: it would follow the damaged
// numbers into a signal, or begin anew.
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkPages } from '../../../infra/event-log/embedded/check-pages.ts'
import { Environment } from '../../../infra/event-log/embedded/environment.ts'
import {
  beginEmbeddedEventLog,
  beginEmbeddedEventLogAnew,
  checkEmbeddedEventLog,
  openEventLog,
} from '../../../infra/event-log/open.ts'
import { PLACES_OF_A_LOG } from '../../../infra/event-log/places.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'

const PAGE = 4096
const SIZES = { maxBytes: 256 << 20, maxBlockBytes: 16 << 20, clock: testClock }

let whole: string
let dataDir: string

beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'logeye-test-whole-'))
  const log = await openEventLog({ dataDir: whole, ...SIZES })
  for (let number = 0; number < 300; number += 1)
    await log.append(0, Buffer.alloc(number % 9 === 0 ? 40_000 : 500, number))
  await log.savePosition(0, { next: 120, metadata: '{"some":"state"}' })
  await log.append(0, Buffer.from('the last'))
  await log.close()
})
afterAll(() => rmSync(whole, { recursive: true, force: true }))
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-damage-'))
  cpSync(whole, dataDir, { recursive: true })
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const place = () => join(dataDir, 'event-log', 'partition-0')
const dataFile = () => join(place(), 'data.mdb')
const check = () => checkEmbeddedEventLog({ dataDir, ...SIZES })

function change(edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(dataFile())
  edit(bytes)
  writeFileSync(dataFile(), bytes)
}

async function expectNamed(text: string): Promise<void> {
  await expect(check()).rejects.toMatchObject({
    code: 'event_log.damaged',
    message: expect.stringContaining(text),
  })
}

describe('a look at the event log before it is opened', () => {
  it('finds nothing wrong with a whole one, nor with none', async () => {
    await expect(check()).resolves.toBeUndefined()
    rmSync(join(dataDir, 'event-log'), { recursive: true })
    await expect(check()).resolves.toBeUndefined()
  })

  it('takes one that a start has made and that is gone for damage, not for a new one', async () => {
    await beginEmbeddedEventLog({ dataDir, ...SIZES })
    await expect(check()).resolves.toBeUndefined()
    rmSync(join(dataDir, 'event-log'), { recursive: true })
    await expectNamed('it is missing')
    await beginEmbeddedEventLogAnew({ dataDir, ...SIZES }, 1000)
    await expect(check()).resolves.toBeUndefined()
  })

  it.for([
    ['both first pages', [0, 1]],
    ['the first page', [0]],
    ['the second page', [1]],
  ] as const)('names %s when they are zeros or noise', async ([, pages]) => {
    for (const byte of [0, 0x5a]) {
      change((bytes) => {
        for (const page of pages) bytes.fill(byte, page * PAGE, (page + 1) * PAGE)
      })
      await expectNamed('data.mdb: its first two pages')
    }
  })

  it('names a last commit that went back, which LMDB would pass over in silence', async () => {
    const [first, second] = [0, 1].map((page) =>
      readFileSync(dataFile()).readBigUInt64LE(page * PAGE + 152),
    )
    const last = (first ?? 0n) > (second ?? 0n) ? 0 : 1
    change((bytes) => bytes.writeBigUInt64LE(3n, last * PAGE + 152))
    await expectNamed('its first two pages')
  })

  it('names a file that is empty, cut, or missing', async () => {
    truncateSync(dataFile(), 0)
    await expectNamed('data.mdb: it is empty')
    rmSync(dataFile())
    await expectNamed('data.mdb: it is missing')
    cpSync(whole, dataDir, { recursive: true, force: true })
    truncateSync(dataFile(), 30 * PAGE + 100)
    await expectNamed('data.mdb: it')
  })

  it('names links, also those that lead nowhere', async () => {
    for (const name of ['data.mdb', 'lock.mdb']) {
      for (const target of [
        join(whole, 'event-log', 'partition-0', name),
        join(dataDir, 'nowhere'),
      ]) {
        rmSync(join(place(), name))
        symlinkSync(target, join(place(), name))
        await expectNamed(`${name}: it is a link`)
        rmSync(join(place(), name))
        cpSync(whole, dataDir, { recursive: true, force: true })
      }
    }
    renameSync(place(), join(dataDir, 'elsewhere'))
    writeFileSync(place(), '')
    await expectNamed('partition-0: it is not a readable directory')
  })

  it('finds each page that is not what it is to be, or lets the checksums of what is in it say so', {
    timeout: 240_000,
  }, async () => {
    const before = readFileSync(dataFile())
    const random = makeRandom(17)
    const outcomes = { named: 0, same: 0, shown: 0 }
    for (let round = 0; round < series(36, 150); round += 1) {
      change((bytes) => {
        before.copy(bytes)
        // By turns anywhere, which is mostly in blocks, and in the head of a page.
        const inHead = random.below(before.length / PAGE) * PAGE + random.below(170)
        const at =
          round % 3 === 0
            ? random.below(before.length)
            : inHead % (round % 3 === 1 ? 2 * PAGE : Infinity)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
      })
      try {
        await check()
      } catch (error) {
        expect(error).toMatchObject({ code: 'event_log.damaged' })
        outcomes.named += 1
        continue
      }
      const log = await openEventLog({ dataDir, ...SIZES })
      const blocks = await log.read(0, 120, { maxBytes: 256 << 20, waitMs: 0 })
      expect(await log.position(0)).toEqual({ next: 120, metadata: '{"some":"state"}' })
      expect(blocks.map(({ offset }) => offset)).toEqual(
        Array.from({ length: 181 }, (_, i) => 120 + i),
      )
      const isSame = blocks
        .slice(0, -1)
        .every(({ offset, bytes }) => bytes.every((it) => it === (offset & 255)))
      if (isSame) outcomes.same += 1
      else outcomes.shown += 1
      await log.append(0, Buffer.from('goes on'))
      await log.close()
      rmSync(join(place(), 'lock.mdb'), { force: true })
    }
    expect(
      Object.values(outcomes).filter((it) => it === 0),
      JSON.stringify(outcomes),
    ).toEqual([])
  })

  it('names a page in use that is listed as free: the next commit would write over it', async () => {
    change(listUsedPageAsFree)
    await expectNamed('a page is named twice')
  })

  it('names an end before the position, and a block that is gone from between', async () => {
    const log = await openEventLog({ dataDir, ...SIZES })
    await log.close()
    const environment = new Environment(place(), SIZES.maxBytes)
    await environment.write(() => void environment.database.remove(200))
    await environment.retire()
    await expectNamed('it holds 180 blocks')
    const late = new Environment(place(), SIZES.maxBytes)
    await late.write(() => late.putPosition({ next: 1000, metadata: '' }))
    await late.retire()
    await expectNamed('before its position')
  })

  it('is passed by a log that begins anew above all places, and the damaged files are kept', async () => {
    change((bytes) => bytes.fill(1, 0, 2 * PAGE))
    await expectNamed('first two pages')
    for (const number of [1, 2]) {
      const first = number * PLACES_OF_A_LOG
      const aside = await beginEmbeddedEventLogAnew({ dataDir, ...SIZES }, first)
      expect(aside).toEqual([expect.stringMatching(/aside-0-\d-before-\d+$/)])
      expect(readdirSync(aside[0] ?? '')).toContain('data.mdb')
      await check()
      const log = await openEventLog({ dataDir, ...SIZES })
      expect(await log.position(0)).toEqual({ next: first, metadata: '' })
      expect(await log.append(0, Buffer.from('x'))).toBe(first)
      expect(await log.status(0)).toEqual({ end: first + 1, next: first, blocks: 1, bytes: 1 })
      await log.close()
    }
  })

  it('takes room behind the last page, and makes no file', async () => {
    appendFileSync(dataFile(), Buffer.alloc(PAGE))
    await check()
    expect(readdirSync(join(dataDir, 'event-log'))).toEqual(['partition-0'])
  })

  it('ends where there are more pages than it has time for', async () => {
    const environment = new Environment(place(), SIZES.maxBytes)
    await environment.write(() => {
      for (let key = 1000; key < 2500; key += 1)
        void environment.database.put(key, Buffer.alloc(1500, key))
    })
    await environment.retire()
    const checkAt = (stepMs: number) => {
      let passedMs = 0
      const elapsedMs = () => (passedMs += stepMs)
      return checkPages(dataFile(), { clock: { elapsedMs }, limitMs: 1500 })
    }
    const { isWhole, pages } = checkAt(0)
    expect([isWhole, pages > 600]).toEqual([true, true])
    expect(checkAt(1000)).toEqual({ isWhole: false, pages: 512 })
  })
})

/** In the newest list of free pages its first number that is one becomes the root of the blocks. */
function listUsedPageAsFree(bytes: Buffer): void {
  const meta = bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(PAGE + 152) ? 0 : PAGE
  const root = bytes.readBigUInt64LE(meta + 96 + 40)
  const leaf = Number(bytes.readBigUInt64LE(meta + 48 + 40)) * PAGE
  const node = leaf + 24 + bytes.readUInt16LE(leaf + 24)
  const list = node + 8 + bytes.readUInt16LE(node + 6)
  for (let at = list + 8; ; at += 8) {
    if (bytes.readBigInt64LE(at) <= 0n) continue
    bytes.writeBigUInt64LE(root, at)
    return
  }
}
