// Days of a policy on a second disk (docs/decisions/0132): by the files that lie there, and by what
// is found, whatever ends the store in the middle of a move. LOGEYE_TEST_MOVE_KILLS=100 by hand.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freezeStore, removeFrozen } from '../../../infra/backup/freeze-store.ts'
import { claimDirectories } from '../../../infra/store/server/disks/claim-directories.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { standingClock, TEST_DATE_MS } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import type { EmbeddedStore } from '../../support/store/embedded-store.ts'
import { findDamage } from '../../support/store/find-damage.ts'
import { listFiles } from '../../support/store/list-files.ts'

const DAY_MS = 86_400_000
const TODAY_MS = Math.floor(TEST_DATE_MS / DAY_MS) * DAY_MS
const POLICY = 'Default'
const KILLS = Number(process.env.LOGEYE_TEST_MOVE_KILLS ?? series(3, 12))
const folder = mkdtempSync(join(tmpdir(), 'logeye-disks-'))
const second = join(folder, 'second')
mkdirSync(second)

let pipeline: SearchPipeline<EmbeddedStore>
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline({ clock: standingClock, store: { directories: [second] } })
  // A minute otherwise.
  await pipeline.engine.store.command({
    sql: 'ALTER TABLE events MODIFY SETTING old_parts_lifetime = 1, cleanup_delay_period = 1, max_cleanup_delay_period = 1',
  })
  const { readArrived } = pipeline
  app = openTestApp(pipeline.db, pipeline.engine.store, { clock: standingClock, readArrived })
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const policy = (given: Readonly<Record<string, string>>) =>
  makeConfigurationClient(app.call, { name: 'admin', password: pipeline.db.adminPassword }).do(
    'addCollectionPolicy',
    { name: POLICY, update: 'true', ...given },
  )
const send = (age: number, count: number) =>
  pipeline.ingest(
    Array.from({ length: count }, (_, at) => ({ message: `of ${age} days ago, ${at}`, age })),
    { receivedMs: TODAY_MS - age * DAY_MS },
  )
const count = async (query: string) => {
  const given = { fixedInterval: 'allData', searchQuery: `${query} | count` }
  const text = await (await app.search({ ...given, resultFormat: 'csv-plain' })).text()
  return Number(text.trim().split('\n').at(-1))
}
const damage = () => findDamage(pipeline.engine.store)
const dateOf = (age: number) =>
  new Date(TODAY_MS - age * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
/** Folders with the files of rows, of the day. */
function partsIn(directory: string, age: number): string[] {
  return listFiles(directory)
    .filter((path) => path.endsWith('/count.txt') && path.includes(`/1-${dateOf(age)}_`))
    .filter((path) => !/\/(?:moving|detached)\/|^shadow\//.test(path))
    .map((path) => join(directory, path.slice(0, path.lastIndexOf('/'))))
}
const own = () => join(pipeline.engine.dataDir, 'store')
const keptLinks = () => [own(), second].flatMap((root) => listShadow(join(root, 'shadow')))
const listShadow = (path: string) =>
  existsSync(path) ? readdirSync(path).filter((name) => name.startsWith('logeye_move')) : []
/** Replaced parts are removed by the engine after a while. */
const onlyIn = async (there: string, notThere: string, age: number) => {
  expect(partsIn(there, age).length).toBeGreaterThan(0)
  await waitUntil(
    'no part of the day is left on the other disk',
    () => partsIn(notThere, age).length === 0,
    () => partsIn(notThere, age),
  )
}
/** Where a move of day 20 is met, in turn. */
const POINTS: readonly (readonly [state: string, isReached: (to: string) => boolean])[] = [
  ['it was asked for', () => true],
  ['links of its parts are kept', () => keptLinks().length > 0],
  ['a part is on the other disk', (to) => partsIn(to, 20).length > 0],
]
/** Moves day 20 to the disk that does not have it; resolves at the point, or when it is over.
 *  `move`: whether it was done. */
async function moveTo(round: number): Promise<{ readonly move: Promise<boolean> }> {
  const isThere = partsIn(second, 20).length > 0
  let isOver = false
  const move = pipeline.engine.store
    .command({
      sql: `ALTER TABLE events MOVE PARTITION (1, ${dateOf(20)}) TO DISK '${isThere ? 'default' : 'logeye_1'}'`,
    })
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      isOver = true
    })
  const [state = '', isReached = () => true] = POINTS[round % POINTS.length] ?? []
  await waitUntil(state, () => isOver || isReached(isThere ? own() : second))
  return { move }
}

describe('a policy with a storageDirectory', () => {
  it('says when the store has no such directory', async () => {
    const made = await policy({ storageDirectory: '/mnt/none' })
    expect(JSON.stringify(made.response)).toContain(`NO DAY GOES THERE`)
    expect(JSON.stringify(made.response)).toContain(second)
    await send(9, 5)
    await pipeline.retain()
    expect(partsIn(second, 9)).toEqual([])
  })

  it('has its older days there, found as before, and writes today where it did', async () => {
    await send(1, 3)
    await send(0, 4)
    const made = await policy({ storageDirectory: second })
    expect(JSON.stringify(made.response)).not.toContain('NO DAY')
    await pipeline.retain()
    await onlyIn(second, own(), 9)
    await onlyIn(own(), second, 1)
    await onlyIn(own(), second, 0)
    expect(await count('*')).toBe(12)
    expect(await count('age = 9')).toBe(5)
    expect(await damage()).toEqual([])
    expect(keptLinks()).toEqual([])
  })

  it('brings late events of such a day there, too, and what is deleted leaves it', async () => {
    await send(9, 2)
    await pipeline.retain()
    await onlyIn(second, own(), 9)
    expect(await count('age = 9')).toBe(7)
    await makeConfigurationClient(app.call, {
      name: 'admin',
      password: pipeline.db.adminPassword,
    }).do('deleteData', {
      log: 'Events->Default',
      query: 'age = 9 and message = "of 9 days ago, 0"',
    })
    await pipeline.retain()
    expect(await count('age = 9')).toBe(5)
    expect(await damage()).toEqual([])
  })

  it('is searched after a kill -9 and a start, and a backup holds it', async () => {
    await pipeline.engine.kill9()
    await pipeline.engine.restart()
    expect(await count('age = 9')).toBe(5)
    const frozen = await freezeStore(pipeline.engine.store, pipeline.engine.dataDir, 'abc')
    try {
      const [there] = frozen.files.filter(({ path }) => path.includes(`/1-${dateOf(9)}_`))
      expect(there?.path).toMatch(/^store\/store\//)
      expect(there?.from.startsWith(second)).toBe(true)
      expect(frozen.files.every(({ path }) => !path.startsWith('..'))).toBe(true)
    } finally {
      frozen.remove()
    }
  })

  it('keeps days longer in the data directory by storageDirectoryDays, and takes all back', async () => {
    await send(5, 6)
    await policy({ storageDirectoryDays: '5' })
    await pipeline.retain()
    await onlyIn(own(), second, 5)
    await onlyIn(second, own(), 9)
    await policy({ storageDirectoryDays: '4' })
    await pipeline.retain()
    await onlyIn(second, own(), 5)
    await policy({ storageDirectory: '' })
    await pipeline.retain()
    await onlyIn(own(), second, 5)
    await onlyIn(own(), second, 9)
    expect(await count('age >= 5')).toBe(11)
    expect(await damage()).toEqual([])
  })

  it(
    'loses and doubles nothing by a kill -9 anywhere in a move',
    async () => {
      const { engine } = pipeline
      for (let at = 0; at < 4; at += 1) await send(20, 5000)
      const before = await count('age = 20')
      expect(before).toBe(20_000)
      let moved = 0
      for (let round = 0; round < KILLS; round += 1) {
        const { move } = await moveTo(round)
        await engine.kill9()
        if (await move) moved += 1
        await engine.restart()
        expect(await count('age = 20'), `round ${round}`).toBe(before)
        expect(await damage(), `round ${round}`).toEqual([])
        expect(keptLinks(), `round ${round}`).toEqual([])
      }
      expect(moved).toBeLessThan(KILLS)
    },
    KILLS * 60_000,
  )

  // The engine takes one of the two after the other.
  it('has each part once in a backup that is asked for beside a move', async () => {
    const { engine } = pipeline
    const total = await count('*')
    for (let round = 0; round < POINTS.length; round += 1) {
      const { move } = await moveTo(round)
      const frozen = await freezeStore(engine.store, engine.dataDir, `mid${round}`)
      const paths = frozen.files.map(({ path }) => path)
      frozen.remove()
      expect(await move, `round ${round}`).toBe(true)
      expect(frozen.events, `round ${round}`).toBe(total)
      expect(new Set(paths).size, `round ${round}`).toBe(paths.length)
      expect(keptLinks(), `round ${round}`).toEqual([])
    }
  }, 60_000)

  it('freezes again after a kill -9 that left the count of freezes empty', async () => {
    const { engine } = pipeline
    await engine.kill9()
    writeFileSync(join(own(), 'shadow', 'increment.txt'), '')
    await engine.restart()
    const frozen = await freezeStore(engine.store, engine.dataDir, 'def')
    frozen.remove()
    expect(frozen.events).toBeGreaterThan(20_000)
  })

  it('puts back what a loss of power took of a copy', async () => {
    const { engine } = pipeline
    await send(30, 50)
    const date = dateOf(30)
    const partition = `PARTITION (1, ${date})`
    await engine.store.command({ sql: `ALTER TABLE events FREEZE ${partition} WITH NAME 'links'` })
    await engine.store.command({ sql: `ALTER TABLE events MOVE ${partition} TO DISK 'logeye_1'` })
    await engine.kill9()
    // As if the move had ended here, with nothing of the copies on the disk.
    const shadow = join(own(), 'shadow')
    renameSync(join(shadow, 'links'), join(shadow, `logeye_move_events_1_${date}`))
    for (const part of partsIn(second, 30))
      for (const name of readdirSync(part)) truncateSync(join(part, name), 0)
    await engine.restart()
    expect(await count('age = 30')).toBe(50)
    expect(keptLinks()).toEqual([])
    expect(await damage()).toEqual([])
  })
})

describe('directories of the store', () => {
  const place = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const claim = (dataDir: string, given: readonly string[]) =>
    claimDirectories(dataDir, given, standingClock)
  const refusal = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
    }
    return 'taken'
  }

  it('refuses to start without a disk that holds days', () => {
    const [data, cold] = [place('data'), place('cold')]
    expect(claim(data, [cold])).toEqual([cold])
    mkdirSync(join(cold, 'store', 'abc', 'table', '1-20260101_1_1_0'), { recursive: true })
    expect(refusal(() => claim(data, []))).toContain('must name until they are moved')
    renameSync(cold, `${cold}-away`)
    expect(refusal(() => claim(data, []))).toContain('is it mounted?')
    mkdirSync(cold)
    expect(refusal(() => claim(data, [cold]))).toContain('is it mounted?')
    // Under another name it is the same.
    expect(claim(data, [`${cold}-away`])).toEqual([`${cold}-away`])
    rmSync(join(`${cold}-away`, 'store'), { recursive: true })
    expect(claim(data, [])).toEqual([])
  })

  it('are rid of what a backup that was killed left on them', () => {
    const [data, cold] = [place('data-3'), place('cold-3')]
    claim(data, [cold])
    const [own, others, move] = [
      place('data-3/store/shadow/logeye_backup_1a'),
      place('cold-3/shadow/logeye_backup_1a'),
      place('cold-3/shadow/logeye_move_events_1_20260101'),
    ]
    removeFrozen(data)
    expect([own, others, move].map(existsSync)).toEqual([false, false, true])
  })

  it('refuses what is of another store, inside the data directory, not there or not whole', () => {
    const [data, other, cold] = [place('data-1'), place('data-2'), place('cold-1')]
    claim(data, [cold])
    expect(refusal(() => claim(other, [cold]))).toContain('of another store')
    expect(refusal(() => claim(other, [place('data-2/inside')]))).toContain('lie in each other')
    expect(refusal(() => claim(other, [join(folder, 'none')]))).toContain('is its disk mounted?')
    expect(refusal(() => claim(other, ['cold']))).toContain('no whole path')
    const again = place('cold-2')
    expect(refusal(() => claim(other, [again, again]))).toContain('twice')
  })
})
