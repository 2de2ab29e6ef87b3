// Queries in brackets, join and transpose in their hard cases, on the real engine
// (search-language#join, #queries-in-brackets).
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { SAMPLE_LOGS } from '../../support/data/sample-logs.ts'
import { insertSmallEvents, type SmallSearch, tableOf } from '../../support/store/small-store.ts'
import { failureOf, openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const ALL = { from: '2010-01-01T00:00:00Z', to: '2011-01-01T00:00:00Z' }
const DAY = { from: '2010-06-01T00:00:00Z', to: '2010-06-02T00:00:00Z' }
const WITHOUT_SSH = {
  ...ALL,
  visibleLogs: SAMPLE_LOGS.filter(({ name }) => name !== 'ssh auth'),
}

describe.each(STORE_VARIANTS)('on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    const at = (minute: number) => `2010-06-01T12:${String(minute).padStart(2, '0')}:00Z`
    const access = (minute: number, columns: Record<string, string | number>, size = minute) => {
      return { log: 'access', at: at(minute), size, columns }
    }
    const ssh = (minute: number, columns: Record<string, string | number>, size = minute) => {
      return { log: 'ssh auth', at: at(minute), size, columns }
    }
    await insertSmallEvents(
      store,
      [
        access(1, { User: 'ANNA', 'Remote IP': '10.0.0.1', Status: 200 }),
        access(2, { User: 'anna', 'Remote IP': '10.0.0.2', Status: '404.0' }),
        access(3, { User: 'bert', 'Remote IP': '::ffff:10.0.0.3', Status: 500 }),
        access(4, { 'Remote IP': '10.0.0.9', Status: '1e2' }),
        access(5, { User: 'Cora', 'Remote IP': 'unknown', Status: 'n/a' }),
        ssh(1, { User: 'Anna', 'Source IP': '10.0.0.1', Status: '404', Event: 'bad' }),
        ssh(20, { User: 'BERT', 'Source IP': '10.0.0.3', Status: 100, Event: 'bad' }),
        ssh(21, { User: 'bert', 'Source IP': '10.0.0.3', Status: '5e2', Event: 'good' }),
        ssh(22, { 'Source IP': '10.0.0.7', Event: 'bad' }),
        { log: 'orders', at: at(40), size: 5, host: 'Web-01', columns: { Event: at(2) } },
        { log: 'orders', at: at(41), size: 2, columns: { Event: '06/01/2010 12:03:00' } },
        { log: 'orders', at: at(42), size: 1, columns: { Event: 'no time' } },
      ],
      0,
    )
    await store.command({
      sql: `INSERT INTO events (policy, log_id, timestamp, received, size)
        SELECT 1, 4, toDateTime64('2010-06-02 00:00:00', 9, 'UTC'), toDateTime64('2010-06-02 00:00:00', 3, 'UTC'), number + 1 FROM numbers(10001)`,
    })
  })

  async function rows(text: string, search: SmallSearch = ALL) {
    return (await tableOf(store, text, search)).rows
  }

  /** Sizes of the events of `access` that pass. */
  async function found(filter: string, search: SmallSearch = ALL) {
    return (await rows(`(${filter}) in log.access | count | group by size | order by size`, search))
      .map(([size]) => size)
      .join(' ')
  }

  describe('a query in brackets', () => {
    it('gives the values of its first shown column, compared by value', async () => {
      expect(await found('User in [ * in log.ssh auth | list User ]')).toBe('1 2 3')
      expect(await found('User not in [ * in log.ssh auth | list User ]')).toBe('5')
      expect(await found('NOT User in [ * in log.ssh auth | list User ]')).toBe('4 5')
      expect(await found('Status in [ * in log.ssh auth | list Status, User ]')).toBe('2 3 4')
      expect(await found('Remote IP in [ Event = bad in log.ssh auth | list Source IP ]')).toBe(
        '1 3',
      )
      const counted = '* in log.ssh auth | count | group by Source IP | where count > 1'
      expect(await found(`Remote IP in [ ${counted} ]`)).toBe('3')
      const first = '* in log.ssh auth | count | group by User | display only count, User'
      expect(await found(`User in [ ${first} ]`)).toBe('')
    })

    it('is compared with times, sizes, logs and tags', async () => {
      expect(await found('timestamp in [ * in log.ssh auth | list timestamp ]')).toBe('1')
      expect(await found('timestamp not in [ * in log.ssh auth | list timestamp ]')).toBe('2 3 4 5')
      expect(await found('timestamp in [ * in log.ssh auth ]')).toBe('1')
      expect(await found('timestamp in [ * in log.orders | list Event ]')).toBe('2 3')
      expect(await found('size in [ * in log.orders | list size ]')).toBe('1 2 5')
      expect(await found('size not in [ * in log.orders | list size ]')).toBe('3 4')
      expect(await found('host in [ * in log.orders | list host ]')).toBe('1 2 3 4 5')
      expect(await rows('log in [ * in log.ssh auth | list log ] | count | group by log')).toEqual([
        ['ssh auth', '4'],
      ])
      const byTag =
        'apptags in [ * in log.access | list apptags ] size < 100 | count | group by log'
      expect(await rows(byTag)).toEqual([
        ['access', '5'],
        ['orders', '3'],
      ])
      const notTag =
        'apptags not in [ * in log.access | list apptags ] size < 100 | count | group by log'
      expect(await rows(notTag)).toEqual(
        [
          ['ssh auth', '4'],
          ['fw01', '99'],
        ].toSorted((a, b) => Number(b[1]) - Number(a[1])),
      )
    })

    it('stands in where and in if, over tables too', async () => {
      const users = '* in log.ssh auth | list User'
      const table = `* in log.access | count as n | group by User | where User in [ ${users} ] | order by n`
      expect(await rows(table)).toEqual([
        ['bert', '1'],
        ['anna', '2'],
      ])
      const counted = `* in log.access | count if (User in [ ${users} ]) as known, count`
      expect(await rows(counted)).toEqual([['3', '5']])
      const numbers =
        '* in log.access | count as n | group by User | where n in [ * in log.orders | list size ]'
      expect(await rows(`${numbers} | order by User`)).toEqual([
        ['anna', '2'],
        ['bert', '1'],
        ['Cora', '1'],
      ])
      const days =
        '* in log.access | count | interval 1 day | where time in [ * in log.ssh auth | count | interval 1 day | where count > 0 ]'
      expect(await rows(days)).toEqual([['06/01/2010 00:00:00', '5']])
    })

    it('sees no log that the user does not see, and no time beyond the window', async () => {
      const users = '[ * in log.ssh auth | list User ]'
      expect(await found(`User in ${users}`, WITHOUT_SSH)).toBe('')
      expect(await found(`User not in ${users}`, WITHOUT_SSH)).toBe('1 2 3 5')
      expect(await found('size in [ size < 100 | list size ]', WITHOUT_SSH)).toBe('1 2 3 4 5')
      const early = { from: '2010-06-01T12:00:00Z', to: '2010-06-01T12:10:00Z' }
      expect(await found(`User in ${users}`, early)).toBe('1 2')
    })

    it('gives 10,000 values at most, which is said', async () => {
      expect(await found('size in [ size <= 10000 in log.fw01 | list size ]')).toBe('1 2 3 4 5')
      expect(await failureOf(found('size in [ * in log.fw01 | list size ]'))).toBe(
        'store.too_many_values',
      )
      expect(await failureOf(found('size in [ * in log.fw01 | list size | limit 10000 ]'))).toBe('')
    })
  })

  describe('join', () => {
    const WEB = '* in log.access | count as n | group by User'

    it('puts another table beside the rows, equal by value, empty without a partner', async () => {
      const joined = await tableOf(
        store,
        `${WEB} | order by User desc | join [ * in log.ssh auth | count as n, max Status as Worst | group by User ] on User`,
        ALL,
      )
      expect(joined.columns).toEqual(['User', 'n', 'n_2', 'Worst'])
      expect(joined.rows).toEqual([
        ['Cora', '1', '', ''],
        ['bert', '1', '2', '500'],
        ['anna', '2', '1', '404'],
      ])
    })

    it('takes other names on the right, addresses by address, and repeats rows with several partners', async () => {
      const text =
        '* in log.access | count | group by Remote IP | join [ * in log.ssh auth | count as tries | group by Source IP, Event ] on Remote IP = Source IP | where tries exists | order by Event'
      expect(await rows(text)).toEqual([
        ['10.0.0.1', '1', 'bad', '1'],
        ['::ffff:10.0.0.3', '1', 'bad', '1'],
        ['::ffff:10.0.0.3', '1', 'good', '1'],
      ])
      const byTime =
        '* in log.access | count | interval 1 minute | where count > 0 | join [ * in log.ssh auth | count | interval 1 minute | where count > 0 ] on time | sum count, count count_2'
      expect(await rows(byTime, DAY)).toEqual([['5', '1']])
    })

    it('takes columns that nobody has for missing', async () => {
      const none = `${WEB} | join [ * in log.ssh auth | count as m | group by User ] on nothing | count m, count`
      expect(await rows(none)).toEqual([['0', '3']])
      const hidden = `${WEB} | join [ * in log.ssh auth | count as m | group by User ] on User | count m, count`
      expect(await rows(hidden, WITHOUT_SSH)).toEqual([['0', '3']])
    })

    it('goes on with the joined columns, another join too', async () => {
      const right = '[ * in log.ssh auth | count as m | group by User ]'
      const text = `${WEB} | join ${right} on User | join ${right} on User | where m_2 exists | order by m desc | display only User, m, m_2`
      expect(await rows(text)).toEqual([
        ['bert', '2', '2'],
        ['anna', '1', '1'],
      ])
    })
  })

  describe('transpose', () => {
    it('turns rows into columns', async () => {
      const text = '* in log.ssh auth | count, start time | group by User | transpose'
      const turned = await tableOf(store, text, ALL)
      expect(turned.columns).toEqual(['column', '1', '2'])
      expect(turned.rows).toEqual([
        ['User', 'bert', 'Anna'],
        ['count', '2', '1'],
        ['start time', '06/01/2010 12:20:00', '06/01/2010 12:01:00'],
      ])
      expect(
        (await tableOf(store, 'nothinghere | count | group by User | transpose', ALL)).columns,
      ).toEqual(['column'])
    })

    it('makes a column of each value of a key, which later stages use', async () => {
      const text =
        '* in log.ssh auth, log.access | count | group by Event or "none" as E, log | transpose log | order by access'
      const spread = await tableOf(store, text.replace(' or "none" as E', ' as E or "none"'), ALL)
      expect(spread.columns).toEqual(['E', 'access', 'ssh auth'])
      expect(spread.rows).toEqual([
        ['none', '5', ''],
        ['bad', '', '3'],
        ['good', '', '1'],
      ])
      const summed = `${'* in log.ssh auth, log.access | count | group by log, User | transpose log | where access > 0 | sum ssh auth as S, sum access'}`
      expect(await rows(summed)).toEqual([['3', '4']])
      const byTime =
        '* in log.ssh auth | count | group by Event | interval 10 minutes | transpose Event | display bad in number format("0.0")'
      expect(await tableOf(store, byTime, ALL)).toEqual({
        columns: ['time', 'bad', 'good'],
        rows: [
          ['06/01/2010 12:00:00', '1.0', ''],
          ['06/01/2010 12:20:00', '2.0', '1'],
        ],
      })
    })

    it('makes 1,000 columns at most, which is said; an unknown key is a query error', async () => {
      const wide = '* in log.fw01 | count | group by size | transpose size | count'
      expect(await failureOf(rows(wide))).toBe('store.too_many_columns')
      expect(
        await failureOf(rows('size <= 1000 in log.fw01 | count | group by size | transpose')),
      ).toBe('')
      expect(await failureOf(rows('* | count | group by log | transpose lgo'))).toBe('search.query')
    })
  })

  it('hold to the limits of a query: forty stages run, deeper brackets are refused', async () => {
    expect(await rows(`*${' | count'.repeat(40)}`)).toEqual([['1']])
    const shares = ' | percent as count | group by count'.repeat(6)
    expect(await rows(`* in log.access | count | group by User${shares}`)).toEqual([
      ['1', '50'],
      ['2', '50'],
    ])
    const nested = (depth: number): string =>
      depth === 0 ? '*' : `User in [ ${nested(depth - 1)} in log.access | list User ]`
    expect(await failureOf(found(nested(3)))).toBe('')
    expect(await failureOf(found(nested(9)))).toBe('search.resources')
    const many = Array.from({ length: 41 }, (_, at) => `User in [ e${at} ]`).join(' or ')
    expect(await failureOf(found(many))).toBe('search.resources')
  })
})
