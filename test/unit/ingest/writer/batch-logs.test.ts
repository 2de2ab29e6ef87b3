import { describe, expect, test } from 'vitest'
import type { LogRecord, NewLog } from '../../../../infra/metastore/tree/port.ts'
import {
  BatchLogs,
  type LogAllowance,
  type LogMode,
} from '../../../../ingest/writer/batch/batch-logs.ts'
import { ColumnDirectory } from '../../../../ingest/writer/batch/log-columns.ts'
import { logDefinitionSchema } from '../../../../schemas/log-definition.ts'
import { logPathKey } from '../../../../schemas/names/log-path.ts'
import { makeAccount } from '../../../support/ingest/split-event.ts'

const HOUR_MS = 3_600_000
const account = makeAccount({ id: 5, name: 'Acme', parentFolder: ['Events'], policyId: 3 })
const folder = ['Events', 'Web']

function record(log: Pick<NewLog, 'folder' | 'name' | 'policyId'>, id: number): LogRecord {
  const given = { description: '', definition: logDefinitionSchema.parse({}) }
  return { ...log, ...given, id, folderId: 1, accountId: 5, appTags: [], typeWords: [] }
}

function makeLogs(
  options: {
    existing?: LogRecord[]
    removed?: LogRecord[]
    mode?: LogMode
    allowance?: LogAllowance
  } = {},
) {
  const { existing = [], removed = [] } = options
  const byPath = (logs: LogRecord[]) =>
    new Map(logs.map((log) => [logPathKey(log.folder, log.name), log]))
  return new BatchLogs({
    tree: {
      folders: new Map(),
      logs: new Map(existing.map((log) => [log.id, log])),
      logsByPath: byPath(existing),
      removedLogsByPath: byPath(removed),
    },
    columns: new ColumnDirectory({ columns: async () => new Map(), addColumns: async () => {} }),
    columnsPerLog: 10,
    mode: options.mode ?? { kind: 'create' },
    allowances: new Map(options.allowance ? [[5, options.allowance]] : []),
  })
}

const find = (logs: BatchLogs, logName: string, receivedMs = 0) =>
  logs.find(account, { folder, logName, typeWords: 'web access' }, receivedMs)

describe('the logs of a batch', () => {
  test('are those of the tree, and new ones with what the account gives', async () => {
    const logs = makeLogs({ existing: [record({ folder, name: 'old', policyId: 9 }, 41)] })
    expect(find(logs, 'old').log).toMatchObject({ logId: 41, policyId: 9 })
    const fresh = find(logs, 'new', 7 * HOUR_MS).log
    expect(find(logs, 'new').log).toBe(fresh)
    const asked: NewLog[] = []
    await logs.create({
      addLogs: async (wanted) => {
        asked.push(...wanted)
        return wanted.map((log, i) => record(log, 100 + i))
      },
    })
    expect(asked).toEqual([
      {
        folder,
        name: 'new',
        accountId: 5,
        policyId: 3,
        appTags: account.appTags,
        typeWords: ['web', 'access'],
        receivedHour: 7,
      },
    ])
    expect([fresh.logId, fresh.policyId, logs.maxLogId]).toEqual([100, 3, 100])
  })

  test('learn the types that their events name', async () => {
    const logs = makeLogs({ existing: [record({ folder, name: 'old', policyId: 9 }, 41)] })
    const name = (logName: string, typeWords: string) =>
      logs.find(account, { folder, logName, typeWords }, 0)
    for (const type of ['a b', 'a b', 'B c', '', 'a b']) name('old', type)
    for (const type of ['x', 'X y']) name('new', type)
    await logs.create({
      addLogs: async ([log]) => {
        expect(log?.typeWords).toEqual(['x', 'y'])
        return log ? [{ ...record(log, 100), typeWords: ['y'] }] : []
      },
    })
    expect(logs.newTypeWords()).toEqual([
      { logId: 41, words: ['a', 'b', 'c'] },
      { logId: 100, words: ['x'] },
    ])
    const many = Array.from({ length: 40 }, (_, i) => `w${i}`)
    for (const word of many) name('old', word)
    expect(logs.newTypeWords()[0]?.words).toEqual(['a', 'b', 'c', ...many.slice(0, 29)])
  })

  test('are no more than the account may get in an hour of receipt', () => {
    const allowance = { total: 10, byHour: new Map([[0, 1]]) }
    const logs = makeLogs({ allowance })
    expect(find(logs, 'a').intendedPath).toBe('')
    const refused = find(logs, 'b')
    expect([refused.intendedPath, refused.log.folder, refused.log.name]).toEqual([
      'Events->Web->b',
      ['Events'],
      'Acme overflow',
    ])
    expect(find(logs, 'a').intendedPath).toBe('')
    // Another hour is free, but what was refused once in a batch stays refused: a replay could not
    // tell.
    expect(find(logs, 'c', HOUR_MS).intendedPath).toBe('')
    const again = { folder: [...folder], logName: 'b', typeWords: '' }
    expect(logs.find(account, again, HOUR_MS).intendedPath).toBe('Events->Web->b')
    const other = makeAccount({ id: 6, name: 'Other' })
    expect(logs.find(other, again, HOUR_MS).log.name).toBe('Other overflow')
    expect(logs.plannedByHour()).toEqual(
      new Map([
        [
          5,
          new Map([
            [0, 1],
            [1, 1],
          ]),
        ],
      ]),
    )
  })

  test('are no more than the account may get altogether', () => {
    const logs = makeLogs({ allowance: { total: 0, byHour: new Map() } })
    expect(find(logs, 'a').log.name).toBe('Acme overflow')
  })

  test('that were removed are made again beside the guard, and found as they were by a replay', () => {
    const gone = record({ folder, name: 'gone', policyId: 9 }, 41)
    const none = { total: 0, byHour: new Map() }
    const logs = makeLogs({ removed: [gone], allowance: none })
    expect(find(logs, 'gone')).toMatchObject({ log: { logId: 0, name: 'gone' }, intendedPath: '' })
    expect(find(logs, 'new').intendedPath).toBe('Events->Web->new')
    const replay = makeLogs({ removed: [gone], mode: { kind: 'replay', maxLogId: 41 } })
    expect(find(replay, 'gone').log).toMatchObject({ logId: 41, policyId: 9 })
    const before = makeLogs({ removed: [gone], mode: { kind: 'replay', maxLogId: 40 } })
    expect(find(before, 'gone').intendedPath).toBe('Events->Web->gone')
  })

  test('are found alike by a replay, whatever was made since', () => {
    const overflow = record({ folder: ['Events'], name: 'Acme overflow', policyId: 3 }, 50)
    const made = record({ folder, name: 'a', policyId: 3 }, 51)
    const later = record({ folder, name: 'b', policyId: 3 }, 52)
    const logs = makeLogs({
      existing: [overflow, made, later],
      mode: { kind: 'replay', maxLogId: 51 },
    })
    expect(find(logs, 'a')).toMatchObject({ log: { logId: 51 }, intendedPath: '' })
    expect(find(logs, 'b')).toMatchObject({ log: { logId: 50 }, intendedPath: 'Events->Web->b' })
    expect(logs.plannedByHour().size).toBe(0)
  })
})
