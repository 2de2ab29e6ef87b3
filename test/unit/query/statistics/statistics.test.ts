import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LogReceipt, readReceipts } from '../../../../query/statistics/collected-logs.ts'
import { collectionData } from '../../../../query/statistics/collection-data.ts'
import { logDefinitionSchema } from '../../../../schemas/log-definition.ts'

const log = (id: number, folder: string[], name: string, appTags: string[] = []) => ({
  ...{ id, name, folder, folderId: 1, accountId: null, policyId: 1, appTags, typeWords: [] },
  ...{ description: '', definition: logDefinitionSchema.parse({}) },
})
const receipt = (isCollected: boolean, lastQuarter: number, bytes = 10): LogReceipt => ({
  ...{ isCollected, lastQuarter, bytes },
})

describe('statistics of collected logs', () => {
  const logs = [
    log(1, ['Web', 'Edge'], 'a', ['Shop']),
    log(2, ['Web', 'Edge'], 'b', ['Shop', 'Shop', 'EU']),
    log(3, ['Web'], 'c'),
    log(4, ['Web'], 'd', ['EU']),
    log(5, [], 'top'),
  ]
  const receipts = new Map([
    [1, receipt(true, 9)],
    [2, receipt(false, 5)],
    [3, receipt(false, 3, 77)],
  ])

  it('counts a log in its folder and in all above it, or in the root, sorted', () => {
    const given = { type: 'Folders', maxUncollected: undefined } as const
    expect(JSON.stringify(collectionData(logs, receipts, given))).toBe(
      '[{"Folders":"ROOT","totalLogs":1,"collectedLogs":0},{"Folders":"Web","totalLogs":4,"collectedLogs":1},{"Folders":"Web->Edge","totalLogs":2,"collectedLogs":1}]',
    )
  })

  it('counts a log once in each of its tags', () => {
    expect(collectionData(logs, receipts, { type: 'AppTags', maxUncollected: undefined })).toEqual([
      { AppTags: 'EU', totalLogs: 2, collectedLogs: 0 },
      { AppTags: 'Shop', totalLogs: 2, collectedLogs: 1 },
    ])
  })

  it('names the longest silence first, what never received anything before all, and cuts', () => {
    const web = (maxUncollected: number) =>
      collectionData(logs, receipts, { type: 'Folders', maxUncollected })[1]?.unCollectedLogsData
    expect(web(100)).toEqual([
      { log: 'Web,d', dataSize: 0 },
      { log: 'Web,c', dataSize: 77 },
      { log: 'Web,Edge,b', dataSize: 10 },
    ])
    expect(web(1)).toEqual([{ log: 'Web,d', dataSize: 0 }])
  })
})

const QUARTER_MS = 900_000

/** A store of one log with one event, by what the statements ask. */
function ask(receivedMs: number) {
  const inside = (of: Readonly<Record<string, unknown>>, ms: number) =>
    ms >= Number(of.from) && ms < Number(of.to)
  return async <Row>({
    sql,
    params,
  }: {
    sql: string
    params: Readonly<Record<string, unknown>>
  }) => {
    const quarter = (Math.floor(receivedMs / QUARTER_MS) * QUARTER_MS) / 1000
    const rows = sql.includes('FROM counts')
      ? [
          {
            ...{ log: 1, inFrame: inside(params, quarter) ? '1' : '0', bytes: '10', last: quarter },
            early: params.early === quarter ? '1' : '0',
            late: params.late === quarter ? '1' : '0',
          },
        ]
      : sql.includes('FROM gone')
        ? [{ log: 1, bytes: '4' }]
        : inside(params, receivedMs)
          ? [{ log: 1 }]
          : []
    return rows as Row[]
  }
}

describe('what a log received in a frame', () => {
  it('is exact to the millisecond at both ends of any frame', async () => {
    const moment = fc.integer({ min: 0, max: 8 * QUARTER_MS })
    await fc.assert(
      fc.asyncProperty(moment, moment, moment, async (a, b, receivedMs) => {
        const [startMs, endMs] = [Math.min(a, b), Math.max(a, b)]
        const [found] = (await readReceipts(ask(receivedMs), { startMs, endMs })).values()
        expect(found?.isCollected).toBe(receivedMs >= startMs && receivedMs < endMs)
        expect(found?.bytes).toBe(6)
      }),
    )
  })

  it('is everything in an open frame', async () => {
    const [found] = (await readReceipts(ask(5), { startMs: null, endMs: null })).values()
    expect(found).toEqual({ isCollected: true, bytes: 6, lastQuarter: 0 })
  })
})
