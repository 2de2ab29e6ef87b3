// The database under several connections and processes, on both dialects.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '../../../infra/database/migrate.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import { takeIds } from '../../../infra/metastore/counters.ts'
import {
  type DatabasePlace,
  dialect,
  makeDatabasePlace,
} from '../../support/database/database-place.ts'
import { putSetting, settingNames } from '../../support/database/named-settings.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { repeatUntil } from '../../support/run/wait-until.ts'

let place: DatabasePlace
const processes: ChildProcess[] = []

beforeEach(async () => {
  place = await makeDatabasePlace()
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  await place.remove()
})

const open = () => place.open()

function start(mode: string) {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'test/support/database/database-process.ts',
      ...place.processArguments,
      mode,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  processes.push(child)
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

describe('database', () => {
  it('migrates once when several open a new one at the same moment', async () => {
    const several = await Promise.all([open(), open(), open(), open()])
    for (const database of several) {
      const rows = await database.read.selectFrom('migrations').select('number').execute()
      expect(rows.map((row) => row.number)).toEqual(MIGRATIONS.map((one) => one.number))
    }
  })

  it('serializes writers of several connections: no id twice, no count lost', async () => {
    const [one, other] = [await open(), await open()]
    const ids: number[] = []
    await Promise.all(
      [one, other].flatMap((database) =>
        Array.from({ length: 50 }, async () => {
          ids.push(await database.write((transaction) => takeIds(transaction, 'log', 3)))
        }),
      ),
    )
    expect(new Set(ids).size).toBe(100)
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => 1 + 3 * i))
  })

  it('leaves nothing of a transaction that fails, and names a conflict', async () => {
    const database = await open()
    await putSetting(database, 'a')
    const failing = database.write(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'b', value: '1' }).execute()
      await transaction.insertInto('settings').values({ name: 'a', value: '2' }).execute()
    })
    await expect(failing).rejects.toMatchObject({ code: 'database.conflict' })
    await expect(
      database.write(async (transaction) => {
        await transaction.insertInto('settings').values({ name: 'c', value: '1' }).execute()
        throw new Error('of the work itself')
      }),
    ).rejects.toThrow('of the work itself')
    expect(await settingNames(database)).toEqual(['a'])
    await putSetting(database, 'd')
  })

  it('shows a snapshot one moment, whatever others commit meanwhile', async () => {
    const [reader, writer] = [await open(), await open()]
    await putSetting(writer, 'a')
    const seen = await reader.snapshot(async (transaction) => {
      const before = await transaction.selectFrom('settings').select('name').execute()
      await putSetting(writer, 'b')
      return [before, await transaction.selectFrom('settings').select('name').execute()]
    })
    expect(seen.map((rows) => rows.length)).toEqual([1, 1])
    expect(await settingNames(reader)).toEqual(['a', 'b'])
  })

  it('does not write through the reading side', async () => {
    const database = await open()
    const writing = database.read.insertInto('settings').values({ name: 'a', value: '1' }).execute()
    await expect(writing).rejects.toMatchObject({ code: 'database.unavailable' })
    expect(await settingNames(database)).toEqual([])
  })

  it('loses a transaction whose process is killed, and lets the next writer in', async () => {
    const database = await open()
    const { child, lines } = start('hold')
    expect(await lines.next()).toMatchObject({ value: 'held' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await putSetting(database, 'after')
    expect(await settingNames(database)).toEqual(['after'])
  })

  it('keeps every commit that was acknowledged before a kill', async () => {
    const { child, lines } = start('count')
    let acknowledged = 0
    while (acknowledged < 30) acknowledged = Number((await lines.next()).value)
    child.kill('SIGKILL')
    await once(child, 'exit')
    for await (const line of { [Symbol.asyncIterator]: () => lines }) acknowledged = Number(line)
    const database = await open()
    const kept = (await settingNames(database)).length
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(acknowledged + 1)
  })

  it('reads on and keeps the event loop free while another process holds the lock, and does not wait for it without end', async () => {
    const database = await open()
    await putSetting(database, 'a')
    const { child, lines } = start('hold')
    await lines.next()
    let isOver = false
    const writing = putSetting(database, 'b')
      .then(
        () => 'written',
        (error) => error.code,
      )
      .finally(() => {
        isOver = true
      })
    let reads = 0
    await repeatUntil(
      () => isOver,
      async () => {
        const names = await settingNames(database)
        if (isOver) return
        expect(names).toEqual(['a'])
        reads += 1
      },
    )
    // A loop that is held while the writer waits reads once before and not again.
    expect(reads).toBeGreaterThan(5)
    // A server cuts off who holds the lock and says nothing; a file cannot.
    const outcome = await writing
    expect(outcome).toBe(dialect === 'postgres' ? 'written' : 'database.unavailable')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await putSetting(database, 'c')
    expect(await settingNames(database)).toEqual(
      outcome === 'written' ? ['a', 'b', 'c'] : ['a', 'c'],
    )
  })

  it('waits for other writers in real time, whatever clock its rows are dated by', async () => {
    const { dataDir, url } = place
    const [dated, other] = [
      await openDatabase({ url, dataDir, clock: makeManualClock() }),
      await open(),
    ]
    let end = () => {}
    let begun = () => {}
    const began = new Promise<void>((resolve) => {
      begun = resolve
    })
    const held = other.write(async (transaction) => {
      await takeIds(transaction, 'log', 1)
      begun()
      await new Promise<void>((resolve) => {
        end = resolve
      })
    })
    await began
    let isWritten = false
    const writing = putSetting(dated, 'a').finally(() => {
      isWritten = true
    })
    // While it waits for the lock, this connection is read many times.
    for (let reads = 0; reads < 20; reads += 1) expect(await settingNames(dated)).toEqual([])
    expect(isWritten).toBe(false)
    end()
    await Promise.all([held, writing])
    expect(await settingNames(other)).toEqual(['a'])
    await dated.close()
  })
})

describe('migrate', () => {
  it('applies a migration once and leaves nothing of one that fails', async () => {
    const database = await open()
    let runs = 0
    const next = {
      number: 1000,
      name: 'next',
      apply: async (db: Parameters<(typeof MIGRATIONS)[number]['apply']>[0]) => {
        runs += 1
        await db.schema.createTable('extra').addColumn('id', 'integer').execute()
        if (runs === 1) throw new Error('first try')
      },
    }
    const all = [...MIGRATIONS, next]
    await expect(migrate(database, testClock, all)).rejects.toThrow('first try')
    await migrate(database, testClock, all)
    await migrate(database, testClock, all)
    expect(runs).toBe(2)
  })

  it('refuses a database that a newer version has migrated', async () => {
    const database = await open()
    await database.write(async (transaction) => {
      const row = { number: 9999, name: 'future', applied_ms: 0 }
      await transaction.insertInto('migrations').values(row).execute()
    })
    await expect(open()).rejects.toMatchObject({ code: 'database.newer' })
  })
})
