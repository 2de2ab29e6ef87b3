// A campaign: a file is written, rotated in each way and packed while the collector is killed
// (SIGKILL) before and after its notes and appends. Every complete line is stored once, in order.
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { patient } from '../../support/run/patience.ts'
import { execFileSync } from '../../support/run/run-sync.ts'
import { readSeed } from '../../support/run/seed.ts'

const KILLS = Number(process.env.LOGEYE_TEST_COLLECT_KILLS ?? 3)
const POINTS = ['note', 'append', 'appended'] as const

let collect: CollectPlace
beforeAll(async () => {
  collect = await openCollectPlace()
})
afterAll(() => collect?.close())

it('stores every line once and in order, whenever the collector is killed', {
  timeout: 120_000 + KILLS * 60_000,
}, async (context) => {
  // Takes half a minute a kill on a busy machine; rotations.test.ts has what it found.
  if (process.env.LOGEYE_TEST_COLLECT_KILLS === undefined)
    context.skip('by hand: LOGEYE_TEST_COLLECT_KILLS=3')
  const random = makeRandom(readSeed('LOGEYE_TEST_COLLECT_SEED', 7))
  const path = (suffix = '') => join(collect.files, `app.log${suffix}`)
  let written = 0
  let packed = 0
  const write = (count: number) => {
    let text = ''
    for (let i = 0; i < count; i += 1) {
      written += 1
      text += `line ${String(written).padStart(8, '0')} ${'x'.repeat(random.below(121))}\n`
    }
    appendFileSync(path(), text)
  }
  // Numbers that go up, as dates do: of one moment, the lower is the older.
  const keptName = () => path(`-${String(packed).padStart(6, '0')}`)
  const shift = () => {
    if (existsSync(path('.2'))) renameSync(path('.2'), keptName())
    packed += 1
    if (existsSync(path('.1'))) renameSync(path('.1'), path('.2'))
  }
  const turns = [
    () => {
      shift()
      renameSync(path(), path('.1'))
      writeFileSync(path(), '')
    },
    () => {
      shift()
      copyFileSync(path(), path('.1'))
      truncateSync(path(), 0)
    },
    () => {
      if (!existsSync(path('.2'))) return
      packed += 1
      const name = `${keptName()}.gz`
      writeFileSync(name, gzipSync(readFileSync(path('.2'))))
      // As the program gzip leaves it, to the nanosecond: a Date may be half a millisecond late.
      execFileSync('touch', ['-r', path('.2'), name])
      rmSync(path('.2'))
    },
    () => undefined,
  ]
  write(50)
  const id = await collect.addLog('app', { filePaths: [path('*')] })
  const ends: unknown[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = collect.fork(POINTS[kill % POINTS.length] ?? 'append', 1 + random.below(4))
    const ended = once(child, 'exit')
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    for (let turn = 0; turn < 400 && !isOver(); turn += 1) {
      write(1 + random.below(300))
      random.pick(turns)()
      await Promise.race([ended, sleep(50 + random.below(551))])
    }
    if (!isOver()) child.kill('SIGKILL')
    ends.push((await ended)[1])
    write(1 + random.below(200))
    random.pick(turns)()
    write(1 + random.below(200))
  }
  expect(ends).toEqual(Array.from({ length: KILLS }, () => 'SIGKILL'))
  const running = await collect.collect()
  const numbers = async () => {
    const rows = await collect.rows(id)
    return rows.map(({ message }) => Number(message.slice(5, 13)))
  }
  const count = async () => (await numbers()).length
  await expect
    .poll(count, { timeout: patient(30_000), interval: 1000 })
    .toBeGreaterThanOrEqual(written)
  await running.stop()
  const found = await numbers()
  // Where one does not follow the one before: both, to tell what went before what.
  const breaks = found.flatMap((number, at) =>
    at > 0 && number !== (found[at - 1] ?? 0) + 1 ? [[found[at - 1], number]] : [],
  )
  expect(breaks).toEqual([])
  expect(found).toHaveLength(written)
})
