// Functions, groups and intervals in their hard cases, on the real engine
// (search-language#functions, #interval).
import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import {
  insertSmallEvents,
  type SmallEvent,
  type SmallSearch,
  tableOf,
} from '../../support/store/small-store.ts'
import { failureOf, openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const HOUR_MS = 3_600_000
/** Every test has a year of its own. */
const BERLIN = { timeZone: 'Europe/Berlin' }

describe.each(STORE_VARIANTS)('on $name', ({ open }) => {
  let store: Store
  let stored = 0

  openForTests(open, (opened) => {
    store = opened
  })

  async function insert(events: readonly SmallEvent[]) {
    await insertSmallEvents(store, events, stored)
    stored += events.length
  }

  /** Rows of the year's events. */
  async function rows(text: string, year: number, more: SmallSearch = {}) {
    const window = { from: `${year}-01-01T00:00:00Z`, to: `${year + 1}-01-01T00:00:00Z` }
    return (await tableOf(store, text, { ...window, ...more })).rows
  }

  describe('functions', () => {
    const at = '2001-05-05T10:00:00Z'

    beforeAll(async () => {
      const texts = ['1,234', ' 7 ', '12ms', '1,2', '+5', '1e1', '', 'inf', '0x10']
      await insert([
        ...texts.map((Status) => ({ at, columns: { Status } })),
        { at, columns: { Status: 2.5 } },
        ...Array.from({ length: 100 }, (_, index) => ({
          at: '2002-05-05T10:00:00Z',
          columns: { 'Time Taken': 100 - index, User: index < 7 ? 'few' : 'many' },
        })),
        { at: '2003-01-01T00:00:00Z', columns: { User: 'one', 'Time Taken': 4 } },
        { at: '2003-01-02T00:00:00Z', columns: { User: 'same', 'Time Taken': 0.1 } },
        { at: '2003-01-03T00:00:00.250Z', columns: { User: 'same', 'Time Taken': 0.1 } },
        { at: '2003-01-04T00:00:00Z', columns: { User: 'same', 'Time Taken': 0.1 } },
        { at: '2003-01-05T00:00:00Z', columns: { User: 'none', 'Time Taken': 'n/a' } },
        { at: '2004-01-01T00:00:00Z', columns: { User: 'pear', Status: '10' } },
        { at: '2004-01-02T00:00:00Z', columns: { User: 'Apple', Status: 9 } },
        { at: '2004-01-03T00:00:00Z', columns: { User: 'APPLE', Status: '1.50' } },
        { at: '2004-01-04T00:00:00Z', columns: { Status: 200 } },
      ])
    })

    it('read numbers in texts: spaces and thousands commas do not count, units make a text', async () => {
      // 1,234 + 7 + 5 + 10 + 2.5; 1,2 has no thousands.
      const text = '* | count Status, sum Status, avg Status, count if (Status = "12ms")'
      expect(await rows(text, 2001)).toEqual([['9', '1258.5', '251.7', '1']])
    })

    it('give the value at the nearest rank', async () => {
      const percentiles = [0, 0.5, 7, 7.001, 50, 99.5, 100]
      const text = `* | ${percentiles.map((p) => `percentile ${p} Time Taken`).join(', ')}, median Time Taken`
      expect(await rows(text, 2002)).toEqual([['1', '1', '7', '8', '50', '100', '100', '50.5']])
    })

    it('give nothing where no value can be used, and 0 for count and sum', async () => {
      const text =
        '* | stdev Time Taken as S, avg Time Taken, sum Time Taken, count, median Time Taken, percentile 50 Time Taken, min Time Taken | group by User | order by User'
      expect(await rows(text, 2003)).toEqual([
        ['none', '', '', '0', '1', '', '', 'n/a'],
        ['one', '', '4', '4', '1', '4', '4', '4'],
        ['same', '0', '0.1', '0.3', '3', '0.1', '0.1', '0.1'],
      ])
      const none =
        'nothinghere | count, sum Status, avg Status, min User, first User, values User, start time, time, percent, distinct count User'
      expect(await rows(none, 2003)).toEqual([['0', '0', '', '', '', '', '', '', '', '0']])
    })

    it('take least and greatest as numbers, else as texts without letter case', async () => {
      expect(await rows('* | min User, max User, min Status, max Status', 2004)).toEqual([
        ['APPLE', 'pear', '1.5', '200'],
      ])
      expect(await rows('* | min timestamp, max timestamp', 2004)).toEqual([
        ['01/01/2004 00:00:00', '01/04/2004 00:00:00'],
      ])
    })

    it('take first and last by time, values by the order of the rows', async () => {
      expect(await rows('* | first User, last User, first Status, last Status', 2004)).toEqual([
        ['pear', 'APPLE', '10', '200'],
      ])
      expect(await rows('* | values User', 2004)).toEqual([['APPLE, pear']])
      expect(await rows('* | order by timestamp | values User', 2004)).toEqual([['pear, Apple']])
      expect(await rows('* | order by timestamp | first User, last User', 2004)).toEqual([
        ['pear', 'APPLE'],
      ])
      expect(await rows('* | values Time Taken', 2002)).toMatchObject([
        [expect.stringMatching(/^1, 2, .*, 100$/)],
      ])
      const many = await rows('* | values size, distinct count Time Taken', 2002)
      expect(many).toEqual([['1', '100']])
    })

    it('give times and shares', async () => {
      const text = '* | start time, end time, time, percent | group by User | order by User'
      expect(await rows(text, 2003)).toEqual([
        ['none', '01/05/2003 00:00:00', '01/05/2003 00:00:00', '0', '20'],
        ['one', '01/01/2003 00:00:00', '01/01/2003 00:00:00', '0', '20'],
        ['same', '01/02/2003 00:00:00', '01/04/2003 00:00:00', '172800000', '60'],
      ])
      expect(await rows('* | percent if (Time Taken <= 33) as Share', 2002)).toEqual([['33']])
      expect(await rows('* | percent | group by User | order by User', 2002)).toEqual([
        ['few', '7'],
        ['many', '93'],
      ])
    })

    it('are called by alias, by their text and by their bare name', async () => {
      const order = async (name: string) =>
        (await rows(`* | count as Hits, sum Time Taken | group by User | order by ${name}`, 2003))
          .map(([user]) => user)
          .join(' ')
      expect(await order('Hits desc, User')).toBe('same none one')
      expect(await order('count desc, User')).toBe('same none one')
      expect(await order('sum desc')).toBe('one same none')
      expect(await order('sum Time Taken')).toBe('none same one')
    })

    it('calculate over tables', async () => {
      const text = '* | count as n | group by User | sum n, max n, first User, last User, count'
      expect(await rows(text, 2003)).toEqual([['5', '3', 'same', 'one', '3']])
      const byDay = '* | count as n | interval 1 day | where n > 0 | time, start time, end time'
      expect(await rows(byDay, 2003)).toEqual([
        ['345600000', '01/01/2003 00:00:00', '01/05/2003 00:00:00'],
      ])
    })
  })

  describe('groups', () => {
    beforeAll(async () => {
      await insert([
        { at: '2005-01-01T00:00:00Z', columns: { User: 'ÖRN', Status: '1.10' } },
        { at: '2005-01-02T00:00:00Z', columns: { User: 'örn', Status: 1.5 } },
        { at: '2005-01-03T00:00:00Z', columns: { User: 'Örn', Status: 10 } },
        { at: '2005-01-04T00:00:00Z', columns: { User: '9', Status: 9 } },
        { at: '2005-01-05T00:00:00Z', columns: { User: '10' } },
        { at: '2005-01-06T00:00:00Z', log: 'fw01', columns: {} },
      ])
      await store.command({
        sql: `INSERT INTO events (policy, log_id, timestamp, received, size)
          SELECT 1, 1, toDateTime64('2006-05-05 00:00:00', 9, 'UTC'), toDateTime64('2006-05-05 00:00:00', 3, 'UTC'), number FROM numbers(100001)`,
      })
    })

    it('are one without letter case, spelled as in the first row', async () => {
      expect(await rows('* | count | group by User', 2005)).toEqual([
        ['Örn', '3'],
        ['9', '1'],
        ['10', '1'],
      ])
      expect(await rows('* | order by timestamp | count | group by User | limit 1', 2005)).toEqual([
        ['ÖRN', '3'],
      ])
    })

    it('leave out rows without the key, unless a text stands for it', async () => {
      expect(await rows('* | count | group by User as Who or "nobody"', 2005)).toEqual([
        ['Örn', '3'],
        ['9', '1'],
        ['10', '1'],
        ['nobody', '1'],
      ])
      expect(await rows('* | count | group by Status or "0"', 2005)).toEqual([
        ['0', '2'],
        ['1.10', '1'],
        ['1.5', '1'],
        ['9', '1'],
        ['10', '1'],
      ])
      const tags = await rows('* | count | group by apptags or "untagged"', 2005, {
        visibleLogs: [
          { id: 1, folder: ['Web'], name: 'access', appTags: [], typeWords: [] },
          { id: 4, folder: ['Net'], name: 'fw01', appTags: ['A', 'B'], typeWords: [] },
        ],
      })
      expect(tags).toEqual([
        ['untagged', '5'],
        ['A', '1'],
        ['B', '1'],
      ])
    })

    it('are formed by the formatted text', async () => {
      const text =
        '* | count | group by timestamp as Day in date format("dd"), User in regexp format("^(.)") | order by Day limit 2'
      expect(await rows(text.replace(' limit', ' | limit'), 2005)).toEqual([
        ['01', 'Ö', '1'],
        ['02', 'ö', '1'],
      ])
      const byYear = '* | count | group by timestamp in date format("yyyy")'
      expect(await rows(byYear, 2005)).toEqual([['2005', '6']])
    })

    it('are 100,000 at most, which is said', async () => {
      expect(await failureOf(rows('* | count | group by size | limit 1', 2006))).toBe(
        'store.too_many_groups',
      )
      const cut = '* | count | group by size | where size = 5'
      expect(await failureOf(rows(cut, 2006))).toBe('store.too_many_groups')
      expect(await rows('size > 0 | count | group by size | count', 2006)).toEqual([['100000']])
    })
  })

  describe('intervals', () => {
    it('follow the clocks of the system time zone', async () => {
      const day = { ...BERLIN, from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' }
      await insert([
        { at: '2026-03-29T00:59:59.999Z', size: 3 },
        { at: '2026-03-29T01:00:00Z', size: 4 },
        { at: '2026-10-25T00:30:00Z', size: 5 },
        { at: '2026-10-25T01:30:00Z', size: 6 },
      ])
      const spring = await tableOf(store, '* | count, sum size | interval 1 hour', day)
      expect(spring.rows).toHaveLength(23)
      expect(spring.rows.slice(0, 4)).toEqual([
        ['03/29/2026 00:00:00', '0', '0'],
        ['03/29/2026 01:00:00', '1', '3'],
        ['03/29/2026 03:00:00', '1', '4'],
        ['03/29/2026 04:00:00', '0', '0'],
      ])
      const autumn = { ...BERLIN, from: '2026-10-24T22:00:00Z', to: '2026-10-25T23:00:00Z' }
      const long = await tableOf(store, '* | count, sum size | interval 1 hour', autumn)
      expect(long.rows).toHaveLength(25)
      expect(long.rows.slice(1, 5)).toEqual([
        ['10/25/2026 01:00:00', '0', '0'],
        ['10/25/2026 02:00:00', '1', '5'],
        ['10/25/2026 02:00:00', '1', '6'],
        ['10/25/2026 03:00:00', '0', '0'],
      ])
      const days = { ...BERLIN, from: '2026-10-23T22:00:00Z', to: '2026-10-26T23:00:00Z' }
      const daily = await tableOf(store, '* | sum size | interval 1 day', days)
      expect(daily.rows).toEqual([
        ['10/24/2026 00:00:00', '0'],
        ['10/25/2026 00:00:00', '11'],
        ['10/26/2026 00:00:00', '0'],
      ])
      const parts = await tableOf(store, '* | count | interval 6 hours', day)
      expect(parts.rows.map(([time]) => time?.slice(11))).toEqual([
        '00:00:00',
        '07:00:00',
        '13:00:00',
        '19:00:00',
      ])
    })

    it('are printed where nothing happened: count and sum 0, everything else empty', async () => {
      await insert([{ at: '2027-06-01T10:31:00Z', columns: { User: 'x', 'Time Taken': 5 } }])
      const text =
        '* | count, sum Time Taken, avg Time Taken, max Time Taken, values User, first timestamp, percent, distinct count User | interval 15 minutes'
      const found = await tableOf(store, text, {
        from: '2027-06-01T10:20:00Z',
        to: '2027-06-01T10:50:00Z',
      })
      expect(found.rows).toEqual([
        ['06/01/2027 10:15:00', '0', '0', '', '', '', '', '', '0'],
        ['06/01/2027 10:30:00', '1', '5', '5', '5', 'x', '06/01/2027 10:31:00', '100', '1'],
        ['06/01/2027 10:45:00', '0', '0', '', '', '', '', '', '0'],
      ])
      const grouped = await tableOf(store, '* | count | group by User | interval 15 minutes', {
        from: '2027-06-01T10:20:00Z',
        to: '2027-06-01T10:50:00Z',
      })
      expect(grouped.columns).toEqual(['time', 'User', 'count'])
      expect(grouped.rows).toEqual([['06/01/2027 10:30:00', 'x', '1']])
      const turned = await tableOf(store, '* | count interval 15 minutes group by User', {
        from: '2027-06-01T10:20:00Z',
        to: '2027-06-01T10:50:00Z',
      })
      expect(turned).toEqual(grouped)
    })

    it('go from the first to the last event of an open window', async () => {
      await insert([
        { at: '2030-02-27T05:00:00Z', log: 'orders' },
        { at: '2030-03-02T23:00:00Z', log: 'orders' },
      ])
      const days = await tableOf(store, '* in log.orders | count | interval 1 day')
      expect(days.rows.map(([time, count]) => `${time?.slice(0, 5)} ${count}`)).toEqual([
        '02/27 1',
        '02/28 0',
        '03/01 0',
        '03/02 1',
      ])
      const pairs = await tableOf(store, '* in log.orders | count | interval 3 days')
      expect(pairs.rows.map(([time]) => time?.slice(0, 5))).toEqual(['02/27', '03/02'])
      const weeks = await tableOf(store, '* in log.orders | count | interval 2 weeks')
      expect(weeks.rows).toEqual([['02/25/2030 00:00:00', '2']])
      const quarters = await tableOf(store, '* in log.orders | count | interval 3 months')
      expect(quarters.rows).toEqual([['01/01/2030 00:00:00', '2']])
      expect((await tableOf(store, 'nothinghere | count | interval 1 day')).rows).toEqual([])
    })

    it('are 50,000 at most, which is said', async () => {
      const from = '2031-01-01T00:00:00Z'
      const to = (seconds: number) => new Date(Date.parse(from) + seconds * 1000).toISOString()
      const search = (seconds: number) =>
        tableOf(store, '* | count | interval 1 second | count', { from, to: to(seconds) })
      expect((await search(50_000)).rows).toEqual([['50000']])
      expect(await failureOf(search(50_001))).toBe('store.too_many_buckets')
      expect(await failureOf(search(10 * 366 * 24 * (HOUR_MS / 1000)))).toBe(
        'store.too_many_buckets',
      )
      const flow = tableOf(store, '* | datastream | interval 1 second', { from, to: to(60_000) })
      expect(await failureOf(flow)).toBe('store.too_many_buckets')
    })

    it('stand behind datastream, with and without keys, either order', async () => {
      await insert([
        { at: '2032-07-01T10:00:00Z', size: 10, host: 'a' },
        { at: '2032-07-01T10:06:00Z', size: 20, host: 'b' },
        { at: '2032-07-01T10:06:30Z', size: 30, host: 'B' },
      ])
      const window = { from: '2032-07-01T10:00:00Z', to: '2032-07-01T10:15:00Z' }
      const flow = (text: string) => tableOf(store, text, window)
      expect((await flow('web* OR * | datastream | interval 5 minutes')).rows).toEqual([
        ['07/01/2032 10:00:00', '1', '10'],
        ['07/01/2032 10:05:00', '2', '50'],
        ['07/01/2032 10:10:00', '0', '0'],
      ])
      const byHost = await flow('* | datastream | interval 5 minutes | group by host')
      expect(byHost.rows).toEqual([
        ['07/01/2032 10:00:00', 'a', '1', '10'],
        ['07/01/2032 10:05:00', 'B', '2', '50'],
      ])
      expect(await flow('* | datastream | group by host | interval 5 minutes')).toEqual(byHost)
      const where = await flow('* | where host = a | datastream | interval 1 hour')
      expect(where.rows).toEqual([['07/01/2032 10:00:00', '1', '10']])
    })
  })
})
