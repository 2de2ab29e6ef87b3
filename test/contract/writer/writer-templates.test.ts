// Events meet the templates of the moment of their receipt, whenever the writer comes to them
// (decision 2.6, docs/decisions/0041): real engines, the writer killed with SIGKILL at each step
// while a template changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import {
  addTemplate,
  changeTemplate,
  removeTemplate,
} from '../../../infra/metastore/templates/template-changes.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import type { CrashPoint } from '../../support/writer/test-writer.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

const CRASH_POINTS: readonly CrashPoint[] = [
  { call: 'addColumns', when: 'after', nth: 1 },
  { call: 'savePosition', when: 'after', nth: 1 },
  { call: 'insert events', when: 'after', nth: 1 },
  { call: 'insert counts', when: 'after', nth: 1 },
  { call: 'savePosition', when: 'after', nth: 2 },
]

let place: WriterPlace
beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place.close())

const patternsOf = (column: string) => [`{word:Word} {number:${column}}`]

/** By account: the version that a listener would write into a block now. */
async function versions(): Promise<Record<number, number>> {
  const rows = await place.metastore.database.read
    .selectFrom('listener_accounts')
    .select(['id', 'version'])
    .execute()
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]))
}

async function append(message: string): Promise<void> {
  const current = await versions()
  const events = [
    { message, productType: 'shop', log: 'x' },
    { message: `no ${message}`, log: 'x' },
  ]
  const requests = [1, 2].map((accountId) => ({
    ...{ accountId, accountVersion: current[accountId] ?? 0, events },
  }))
  await place.append(requests)
}

describe('a change of a template', () => {
  test('touches only what is received after it, also when the writer is killed between', {
    timeout: 240_000,
  }, async () => {
    const { database } = place.metastore
    await append('before 1')
    await database.write((transaction) =>
      addTemplate(transaction, testClock, 'Shop', {
        ...{ description: '', logTypes: ['shop'], patterns: patternsOf('c0') },
      }),
    )
    await append('c0 7')
    for (const [i, crash] of CRASH_POINTS.entries()) {
      const writer = await place.startWriter({ crash })
      expect([crash, await writer.ended]).toEqual([crash, 'SIGKILL'])
      await database.write((transaction) =>
        changeTemplate(transaction, testClock, 'shop', { patterns: patternsOf(`c${i + 1}`) }),
      )
      await append(`c${i + 1} 7`)
    }
    await database.write((transaction) => removeTemplate(transaction, testClock, 'Shop'))
    await append('gone 7')
    const metrics = await place.storeAll()
    const rows = await place.rows()
    const shown = rows.map(({ message, columns: { log: _, ...columns } }) => [message, columns])
    const expected = (message: string, columns: object) => [
      ...[
        [message, columns],
        [`no ${message}`, {}],
      ],
      ...[
        [message, columns],
        [`no ${message}`, {}],
      ],
    ]
    const of = (column: string) => expected(`${column} 7`, { Word: column, [column]: 7 })
    expect(shown).toEqual([
      ...expected('before 1', {}),
      ...['c0', 'c1', 'c2', 'c3', 'c4', 'c5'].flatMap(of),
      ...expected('gone 7', {}),
    ])
    expect(await place.countDifferences()).toEqual([])
    expect(metrics).toContain('logeye_writer_template_events_total{')
  })

  test('makes a version of each account, which another process reads as it is', async () => {
    const { database } = place.metastore
    const before = await versions()
    await database.write((transaction) =>
      addTemplate(transaction, testClock, 'Again', {
        ...{ description: '', logTypes: ['again'], patterns: patternsOf('n') },
      }),
    )
    const after = await versions()
    for (const [id, version] of Object.entries(before)) expect(after[Number(id)]).toBe(version + 1)
    const same = await database.write((transaction) =>
      changeTemplate(transaction, testClock, 'again', { logTypes: ['again'] }),
    )
    expect([same.name, await versions()]).toEqual(['Again', after])
    await database.write((transaction) =>
      changeAccount(transaction, testClock, 'account 1', { description: 'changed' }),
    )
    const other = await openMetastore({ database, logger: silentLogger })
    try {
      const names = async (version: number) =>
        (await other.accountVersion(1, version)).templates?.map(({ name }) => name) ?? []
      expect(await names(1)).not.toContain('Shop')
      expect((await names(2))[0]).toBe('Shop')
      expect(await names(before[1] ?? 0)).not.toContain('Again')
      expect((await names(after[1] ?? 0))[0]).toBe('Again')
      expect((await names((after[1] ?? 0) + 1))[0]).toBe('Again')
    } finally {
      await other.close()
    }
  })
})

describe('the types of a log', () => {
  const send = async (log: string, productType: string, message: string) =>
    place.append([
      {
        ...{ accountId: 3, accountVersion: (await versions())[3] ?? 0 },
        events: [{ message, productType, log }],
      },
    ])
  const typesOf = async (name: string) => {
    const { logs } = await place.metastore.tree()
    return [...logs.values()].filter((log) => log.name === name).map((log) => log.typeWords)
  }

  test.each(['before', 'after'] as const)(
    'are those that its events named, also when the writer is killed %s they are recorded',
    { timeout: 240_000 },
    async (when) => {
      const log = `types ${when}`
      await send(log, 'first words', 'one')
      await place.storeAll()
      expect(await typesOf(log)).toEqual([['first', 'words']])
      await send(log, 'WORDS second', 'two')
      const writer = await place.startWriter({ crash: { call: 'addTypeWords', when, nth: 1 } })
      expect(await writer.ended).toBe('SIGKILL')
      await place.storeAll()
      expect(await typesOf(log)).toEqual([['first', 'words', 'second']])
      const [{ id } = { id: 0 }] = [...(await place.metastore.tree()).logs.values()].filter(
        ({ name }) => name === log,
      )
      const rows = await place.rows(`log_id = ${id}`)
      expect(rows.map(({ message }) => message)).toEqual(['one', 'two'])
    },
  )

  test('are no more than 32, which is said once', async () => {
    for (let i = 0; i < 16; i++) await send('many', `a${i} b${i}`, String(i))
    const writer = await place.openWriter()
    await place.waitStored()
    await send('many', 'A1 b1', 'none of them is new')
    await place.waitStored()
    const warnings = () => writer.logged.filter((line) => line.includes('too many words of types'))
    expect(warnings()).toEqual([])
    for (const word of ['late', 'later']) {
      await send('many', word, word)
      await place.waitStored()
    }
    await writer.writer.stop()
    expect(warnings().map((line) => JSON.parse(line).log)).toEqual(['Events->many'])
    await writer.close()
    const expected = Array.from({ length: 16 }, (_, i) => [`a${i}`, `b${i}`]).flat()
    expect(await typesOf('many')).toEqual([expected])
  })
})
