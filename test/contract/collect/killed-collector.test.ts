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
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { execFileSync } from '../../support/run/run-sync.ts'
import { readSeed } from '../../support/run/seed.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const KILLS = Number(process.env.LOGEYE_TEST_COLLECT_KILLS ?? series(0, 3))
const POINTS = ['note', 'append', 'appended'] as const

let collect: CollectPlace
beforeAll(async () => {
  collect = await openCollectPlace()
})
afterAll(() => collect?.close())

it('stores every line once and in order, whenever the collector is killed', {
  timeout: 240_000 + KILLS * 60_000,
}, async (context) => {
  // rotations.test.ts has what it found.
  if (KILLS === 0) context.skip('takes half a minute a kill: npm run test:all')
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
  const position = async () => {
    const rows = collect.place.metastore.database.read.selectFrom('collected_files')
    const positions = await rows.select(['id', 'position']).execute()
    return JSON.stringify(positions)
  }
  write(50)
  const id = await collect.addLog('app', { filePaths: [path('*')] })
  const ends: unknown[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = collect.fork(POINTS[kill % POINTS.length] ?? 'append', 1 + random.below(4))
    const ended = once(child, 'exit')
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    for (let turn = 0; turn < 400 && !isOver(); turn += 1) {
      const before = await position()
      for (let writes = random.below(4); writes >= 0; writes -= 1) {
        write(1 + random.below(300))
        random.pick(turns)()
      }
      const isFurther = async () => isOver() || (await position()) !== before
      await waitUntil('the collector reads on', isFurther)
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
    const messages = await collect.messages(id)
    return messages.map((message) => Number(message.slice(5, 13)))
  }
  const isAll = async () => (await numbers()).length >= written
  await collect.until('all lines are stored', isAll, () => running.telemetry.progress())
  await running.stop()
  const found = await numbers()
  // Where one does not follow the one before: both, to tell what went before what.
  const breaks = found.flatMap((number, at) =>
    at > 0 && number !== (found[at - 1] ?? 0) + 1 ? [[found[at - 1], number]] : [],
  )
  expect(breaks).toEqual([])
  expect(found).toHaveLength(written)
})
