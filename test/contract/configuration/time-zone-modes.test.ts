// Time-zone modes, seen through searches: calendar frames, times without a zone, buckets and dates.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { table } from '../../../query/search-json/calls/table.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

/** 00:30 of the next day in Tokyo, 10:30 in New York. */
const NOW = Date.UTC(2026, 5, 10, 15, 30)
const HOUR = 3_600_000
const COUNT_BY_DAY = 'count | interval 1 day'
const ANN = { name: 'ann', password: 'her password' }

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  app = openTestApp(pipeline.db, pipeline.engine.store, {
    clock: { ...testClock, nowMs: () => NOW },
    readArrived: pipeline.readArrived,
  })
  await pipeline.db.addUser(ANN.name, ANN.password)
  // 23:30 and 00:10 in Tokyo.
  for (const [log, agoMs] of [
    ['before', HOUR],
    ['after', HOUR / 3],
  ] as const)
    await pipeline.ingest([{ message: log, productPath: 'Zone', productName: log }], {
      receivedMs: NOW - agoMs,
    })
  await run('settings', { timeZone: 'UTC' })
  await run('addAppTag', { name: 'Tokyo', sourceQuery: 'folder.Zone' })
  await run('settings', { appTag: 'tokyo', timeZone: 'Asia/Tokyo' })
  await run('addAppTag', { name: 'Plain', sourceQuery: 'folder.Zone' })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const admin = () =>
  makeConfigurationClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })
const run = (command: string, given: Record<string, string>) => admin().do(command, given)
const mode = (timeZoneMode: string) => run('settings', { timeZoneMode })

async function search(
  searchQuery: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
  user?: Record<string, string>,
): Promise<string[]> {
  const given = { searchQuery, resultFormat: 'csv', fixedInterval: 'currentDay', ...fields }
  const answer = await app.search(given, user, { headers })
  const text = await answer.text()
  const data = /CDATA\[(.*?)\]\]/s.exec(text)?.[1]
  return data === undefined
    ? [text]
    : data
        .split(/\r?\n/)
        .slice(1)
        .filter((row) => row !== '')
}
const TOKYO_DAY = ['06/11/2026 00:00:00,1']
const UTC_DAY = ['06/10/2026 00:00:00,2']

describe('in the mode', () => {
  it('system, every search has the zone of the system, but for one that it names', async () => {
    await mode('system')
    const inTokyo = { 'x-time-zone': 'Asia/Tokyo' }
    expect(await search(`* in apptag.Tokyo | ${COUNT_BY_DAY}`, {}, inTokyo)).toEqual(UTC_DAY)
    expect(await search(`* | ${COUNT_BY_DAY}`, { timeZone: 'Asia/Tokyo' })).toEqual(TOKYO_DAY)
  })

  it('dynamic, a search has the zone of its client', async () => {
    await mode('dynamic')
    const inTokyo = { 'x-time-zone': 'Asia/Tokyo' }
    expect(await search(`* | ${COUNT_BY_DAY}`, {}, inTokyo)).toEqual(TOKYO_DAY)
    expect(await search(`* | ${COUNT_BY_DAY}`)).toEqual(UTC_DAY)
    expect(await search(`* | ${COUNT_BY_DAY}`, { timeZone: 'UTC' }, inTokyo)).toEqual(UTC_DAY)
    expect(await search(`* in apptag.Tokyo | ${COUNT_BY_DAY}`)).toEqual(UTC_DAY)
    expect((await search('*', {}, { 'x-time-zone': 'Mars' })).join()).toContain('1: X-Time-Zone: ')
    const rows = await search('* | display only timestamp, message', {}, inTokyo)
    expect(rows).toEqual(['06/11/2026 00:10:00,after'])
  })

  it('tag, a search in one tag has the zone of that tag', async () => {
    await mode('tag')
    for (const scope of ['in apptag.Tokyo', 'in app.Tokyo not in log.nothing', 'in apptag."Tokyo"'])
      expect(await search(`* ${scope} | ${COUNT_BY_DAY}`)).toEqual(TOKYO_DAY)
    for (const scope of [
      ...['', 'in apptag.Plain', 'in apptag.Tok*', 'in apptag.Tokyo, apptag.Plain'],
      ...['in apptag.Tokyo, folder.Zone', 'in folder.Zone'],
    ])
      expect([scope, await search(`* ${scope} | ${COUNT_BY_DAY}`)]).toEqual([scope, UTC_DAY])
    const inUtc = { timeZone: 'UTC' }
    expect(await search(`* in apptag.Tokyo | ${COUNT_BY_DAY}`, inUtc)).toEqual(UTC_DAY)
    expect(await search('after in apptag.Tokyo | display only timestamp')).toEqual([
      '06/11/2026 00:10:00',
    ])
    const times = {
      startTimeFullStr: '06/11/2026 00:00:00',
      endTimeFullStr: '06/11/2026 00:29:00',
    }
    const window = { searchQuery: '* in apptag.Tokyo | count', resultFormat: 'csv', ...times }
    expect(await (await app.search(window)).text()).toContain('\n1\n')
    const json = makeJsonClient(app.call, {
      name: 'admin',
      password: pipeline.db.adminPassword,
    })
    const read = await json.ask(table, {
      query: `* in apptag.Tokyo | ${COUNT_BY_DAY}`,
      interval: 'currentDay',
    })
    expect(JSON.stringify(read)).toContain('06/11/2026')
  })

  it('tag, a tag of logs that the user may not view has no zone for him', async () => {
    await mode('tag')
    const user = { autoLogin: 'true', username: ANN.name, password: ANN.password }
    const query = `* in apptag.Tokyo | ${COUNT_BY_DAY}`
    expect(await search(query, {}, {}, user)).toEqual(TOKYO_DAY)
    const zone = { kind: 'folder', levels: ['Events', 'Zone'] } as const
    await pipeline.db.database.write((t) => setViewers(t, zone, { groups: [], users: [] }))
    expect(await search(query, {}, {}, user)).toEqual(
      await search(query.replace('Tokyo', 'Never'), {}, {}, user),
    )
    expect((await search(query, {}, {}, user)).join()).toContain('06/10/2026')
  })
})

describe('settings', () => {
  it('keeps modes, zones of tags and business hours, and says what has no effect', async () => {
    expect(await mode('tag')).toMatchObject({ response: { 'system.timeZoneMode': 'tag' } })
    expect(await run('settings', { appTag: 'PLAIN', timeZone: 'Europe/Rome' })).toMatchObject({
      response: { 'appTag.Plain': 'Europe/Rome' },
    })
    expect(await run('settings', { appTag: 'Plain', timeZone: '' })).toMatchObject({
      response: { 'appTag.Plain': '' },
    })
    const hours = 'system.businessHours=Mon-Fri 09:00-17:00 Europe/Berlin'
    expect(await run('settings', { set: hours })).toMatchObject({
      response: {
        'system.businessHours': 'Mon-Fri 09:00-17:00 Europe/Berlin',
        notes: 'system.businessHours: kept, but no search of this version uses it',
      },
    })
    for (const [given, status, message] of [
      [{ timeZoneMode: 'browser' }, 400, '-timeZoneMode: must be system, dynamic, tag'],
      [{ appTag: 'Plain' }, 400, '-timeZone: is missing beside -appTag'],
      [{ timeZone: '' }, 400, '-timeZone: must not be empty'],
      [{ appTag: 'Nowhere', timeZone: 'UTC' }, 404, 'there is no app tag Nowhere'],
      [{ appTag: 'Plain', timeZone: 'Mars' }, 400, '-timeZone: must be an IANA time zone'],
      [{ set: 'system.businessHours=always' }, 400, '-set: must be days, hours'],
      [{ set: 'system.businessHours=Mon 17:00-09:00' }, 400, '-set: must be days, hours'],
    ] as const)
      expect([given, await run('settings', given)]).toMatchObject([
        given,
        { httpStatusCode: status, errorMessage: expect.stringContaining(message) },
      ])
  })
})
