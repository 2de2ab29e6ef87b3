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
    const given = { type: 'Folders', maxUncollected: undefined, hidesBytes: false } as const
    expect(JSON.stringify(collectionData(logs, receipts, given))).toBe(
      '[{"Folders":"ROOT","totalLogs":1,"collectedLogs":0},{"Folders":"Web","totalLogs":4,"collectedLogs":1},{"Folders":"Web->Edge","totalLogs":2,"collectedLogs":1}]',
    )
  })

  it('counts a log once in each of its tags', () => {
    expect(
      collectionData(logs, receipts, {
        type: 'AppTags',
        maxUncollected: undefined,
        hidesBytes: false,
      }),
    ).toEqual([
      { AppTags: 'EU', totalLogs: 2, collectedLogs: 0 },
      { AppTags: 'Shop', totalLogs: 2, collectedLogs: 1 },
    ])
  })

  it('names the longest silence first, what never received anything before all, and cuts', () => {
    const web = (maxUncollected: number) =>
      collectionData(logs, receipts, { type: 'Folders', maxUncollected, hidesBytes: false })[1]
        ?.unCollectedLogsData
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
  const inside = (from: unknown, to: unknown, at: number) => at >= Number(from) && at < Number(to)
  const quarter = (Math.floor(receivedMs / QUARTER_MS) * QUARTER_MS) / 1000
  return async <Row>({
    sql,
    params,
  }: {
    sql: string
    params: Readonly<Record<string, unknown>>
  }) => {
    const partOf = (part: number) => ({
      part,
      logs: inside(params[`from${part}`], params[`to${part}`], quarter) ? [1] : [],
    })
    const parts = [...sql.matchAll(/SELECT (\d) AS part/g)].map(([, part]) => partOf(Number(part)))
    const others = sql.includes('FROM counts')
      ? [{ log: 1, bytes: '10', last: quarter }]
      : sql.includes('FROM gone')
        ? [{ log: 1, bytes: '4' }]
        : inside(params.from, params.to, receivedMs)
          ? [{ log: 1 }]
          : []
    return (parts.length > 0 ? parts : others) as Row[]
  }
}

describe('what a log received in a frame', () => {
  it('is exact to the millisecond at both ends of any frame', async () => {
    const moment = fc.integer({ min: 0, max: 8 * QUARTER_MS })
    await fc.assert(
      fc.asyncProperty(moment, moment, moment, async (a, b, receivedMs) => {
        const [startMs, endMs] = [Math.min(a, b), Math.max(a, b)]
        const isInside = receivedMs >= startMs && receivedMs < endMs
        const read = async (withTotals: boolean) => {
          const options = { withTotals }
          return [...(await readReceipts(ask(receivedMs), { startMs, endMs }, options)).values()]
        }
        const [found] = await read(true)
        expect([found?.isCollected, found?.bytes]).toEqual([isInside, 6])
        const [shown] = await read(false)
        expect(shown?.isCollected ?? false).toBe(isInside)
      }),
    )
  })

  it('is everything in an open frame', async () => {
    const open = { startMs: null, endMs: null }
    const [found] = (await readReceipts(ask(5), open, { withTotals: true })).values()
    expect(found).toEqual({ isCollected: true, bytes: 6, lastQuarter: 0 })
  })
})
