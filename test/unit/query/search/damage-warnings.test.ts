import { describe, expect, it } from 'vitest'
import { damageWarnings } from '../../../../query/search/damage-warnings.ts'
import { printAnswer } from '../../../../query/search/print/xml.ts'
import type { Damage } from '../../../../schemas/keep/store-damage.ts'
import { printWarningCounts } from '../../../../schemas/warning.ts'

const DAY_MS = 86_400_000
const DAY = 20_000
const NOON_MS = DAY * DAY_MS + DAY_MS / 2

function makeDamage(change: Partial<Damage> = {}): Damage {
  return {
    ...{ id: 'a', kind: 'events', policyId: 1, day: DAY, logId: 7, partition: 0, events: 100 },
    ...{ bytes: 0, fromMs: null, toMs: null, foundMs: 0 },
    ...change,
  }
}

const log = (id: number, name: string) => ({
  ...{ id, name, folder: ['Web'], folderId: 1, accountId: 1, policyId: 1 },
  ...{ appTags: [], typeWords: [] },
})
const names = new Map([7, 8].map((id) => [id, log(id, `log${id}`)]))
const all = { names, visibleLogs: [...names.values()], seesAll: true }
const some = { names, visibleLogs: [log(8, 'log8')], seesAll: false }
const ever = { query: '*', window: { startMs: null, endMs: null } }

const texts = (...given: Parameters<typeof damageWarnings>) =>
  damageWarnings(...given).map(({ message }) => message)

describe('warnings of damage', () => {
  it('name log, day and number', () => {
    expect(damageWarnings([makeDamage()], ever, all)).toEqual([
      {
        code: 'store.damaged',
        message:
          '100 events of the log Web->log7 received on 2024-10-04 are missing: files of the store are damaged',
      },
    ])
  })

  it('tell nothing of a log that the user may not see, and no number over logs he may not see', () => {
    expect(texts([makeDamage()], ever, some)).toEqual([])
    expect(texts([makeDamage({ logId: 0 })], ever, some)).toEqual([
      'events received on 2024-10-04 are missing: files of the store are damaged',
    ])
    const store = makeDamage({ kind: 'store', logId: 0, day: 0, toMs: NOON_MS })
    expect(texts([store], ever, some)[0]).not.toContain('100')
    expect(texts([store], ever, all)[0]).toContain('100 events stored until 2024-10-04T12:00')
  })

  it('tell of damaged blocks to everybody, a number only to who sees all, and nothing of later windows', () => {
    const blocks = makeDamage({ kind: 'blocks', logId: 0, day: 0, events: 2, toMs: NOON_MS })
    expect(texts([blocks], ever, all)[0]).toContain('2 blocks of the event log were damaged')
    expect(texts([blocks], ever, some)).toEqual([
      'blocks of the event log were damaged, and what was in them is not found',
    ])
    const later = { query: '*', window: { startMs: NOON_MS + DAY_MS, endMs: null } }
    expect(texts([blocks], later, all)).toEqual([])
  })

  it('tell everybody, whatever he asks, that newer events are not stored', () => {
    const stopped = makeDamage({ kind: 'stopped', logId: 0, day: 0, events: 0, toMs: null })
    for (const scope of [all, some])
      expect(
        texts([stopped], { query: '*', window: { startMs: NOON_MS, endMs: null } }, scope),
      ).toEqual([expect.stringContaining('the newest events are not found')])
  })

  it.each([
    ['in it', {}, NOON_MS, NOON_MS + 1, 1],
    ['a day behind the receipt', {}, (DAY + 2) * DAY_MS - 1, null, 1],
    ['later than an event of that day can be', {}, (DAY + 2) * DAY_MS, null, 0],
    ['before it, since events may be late', {}, 0, 1, 1],
    ['before the times that are known', { fromMs: NOON_MS, toMs: NOON_MS + 5 }, 0, NOON_MS, 0],
    ['of the times that are known', { fromMs: NOON_MS, toMs: NOON_MS + 5 }, 0, NOON_MS + 1, 1],
    ['behind the times that are known', { fromMs: 0, toMs: NOON_MS }, NOON_MS, null, 0],
  ])('are of searches whose window touches it: %s', (_, change, startMs, endMs, count) => {
    const asked = { query: '*', window: { startMs, endMs } }
    expect(damageWarnings([makeDamage(change)], asked, all)).toHaveLength(count)
  })

  it('of counters are of datastream only', () => {
    const damage = [makeDamage({ kind: 'counters' })]
    expect(damageWarnings(damage, ever, all)).toEqual([])
    const asked = { ...ever, query: '* | DataStream' }
    expect(damageWarnings(damage, asked, all)[0]?.code).toBe('store.counters')
  })

  it('of keys are none of a search', () => {
    expect(damageWarnings([makeDamage({ kind: 'keys' })], ever, all)).toEqual([])
  })

  it('are twenty, and one that says how many more', () => {
    const many = Array.from({ length: 30 }, (_, at) => makeDamage({ day: DAY + at }))
    const shown = texts(many, ever, all)
    expect(shown).toHaveLength(21)
    expect(shown.at(-1)).toBe('the store has damage in 10 more logs or days')
  })

  it('stand in the Status of the XML, and as counts in a header', () => {
    const warnings = [{ code: 'store.damaged', message: 'a < b' }]
    const text = printAnswer({
      state: 'OK',
      numberOfResults: 1,
      token: '',
      data: '<Row/>',
      warnings,
    })
    expect(text).toContain(
      'numberOfResults="1"><Warnings><Warning code="store.damaged">a &lt; b</Warning></Warnings></Status>\n<Data><Row/></Data>',
    )
    expect(printWarningCounts([...warnings, ...warnings])).toBe('store.damaged=2')
    expect(printWarningCounts([])).toBeUndefined()
  })
})
