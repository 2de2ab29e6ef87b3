// Templates from outside (decision 3.9, docs/decisions/0041): set up by the SDK, sent over HTTP,
// seen by a search.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectSuccess, type IngestAnswer, post } from '../../support/clients/ingest-client.ts'
import {
  makeWord,
  sdk,
  search,
  searchUntil,
  sendEvents,
} from '../../support/clients/product-client.ts'

const TEXT = { 'content-type': 'text/plain' }
const APACHE_FILE = process.env.LOGEYE_TEST_APACHE_LOG ?? 'test/fixtures/logs/apache-access.log'
const APACHE =
  '{ip:Remote IP,ftype=remoteip} {text:Ident} {text:User,ftype=remoteuser} [{date:Date,locale=en;,dd/MMM/yyyy:HH:mm:ss z}] "{choice:Method,ftype=reqmethod;,GET;POST;PUT;DELETE;HEAD} {string:URL,ftype=requrl} {string:Protocol}" {number:Status,ftype=respstatus} {number:Bytes Sent,ftype=bytesent}{eoe}'

/** Its events go to one log of its own. */
async function makeListener(name: string, given: Readonly<Record<string, string>>) {
  const { token } = await sdk('addListener', { name, parentFolder: name, ...given })
  return String(token)
}

/** A page of a search has 100 rows at most. */
async function countUntil(count: number, searchQuery: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await search({
          ...{ fixedInterval: 'allData', searchQuery: `${searchQuery} | count` },
        })
        return Number(rows[0]?.count)
      },
      { timeout: 20_000 },
    )
    .toBe(count)
}

/** Of `?debug=1`: the first event. */
function firstOf({ body }: IngestAnswer): Readonly<Record<string, unknown>> {
  return Object((Array.isArray(body?.events) ? body.events : [])[0])
}

describe('a template', () => {
  it('makes columns of the messages of its type, received from then on', async () => {
    const word = makeWord('type')
    const event = (message: string) => ({
      ...{ message, productName: word, productType: `${word} more`, b: 1, Took: 'json' },
    })
    await sendEvents([event('early 2024-05-01 10:00:00 took 7')])
    await searchUntil(1, { searchQuery: `* in type.${word}` })
    const made = await sdk('addTemplate', {
      name: word,
      logTypes: `${word},MORE,other`,
      patterns: 'never {number:N}@#@#{word:Word} {date:Day,yyyy-MM-dd HH:mm:ss} took {number:Took}',
    })
    expect(made).toMatchObject({ name: word, enabled: true, patterns: 2 })
    const late = event('late 2024-05-01 10:00:00 took 12')
    const said = firstOf(await post(JSON.stringify(late), { parameters: { debug: '1' } }))
    expect(said).toMatchObject({ template: word, pattern: 2, time: '2024-05-01T10:00:00.000Z' })
    expect(said.columns).toEqual({ b: '1', Word: 'late', Took: '12' })
    const other = event('nothing of it')
    const nothing = firstOf(await post(JSON.stringify(other), { parameters: { debug: '1' } }))
    expect(nothing).toMatchObject({ template: word, pattern: 0, columns: { Took: 'json', b: '1' } })

    await sendEvents([late, other])
    const searchQuery = `* in type.${word} | display only message, Word, Took, b`
    const found = await searchUntil(3, { searchQuery })
    const shown = found.rows.map(({ message, Word, Took, b }) => [message, Word, Took, b])
    expect(shown.sort()).toEqual([
      ['early 2024-05-01 10:00:00 took 7', '', 'json', '1'],
      ['late 2024-05-01 10:00:00 took 12', 'late', '12', '1'],
      ['nothing of it', '', 'json', '1'],
    ])
    await searchUntil(1, { searchQuery: `Took = 12 in type.${word}` })

    await sdk('addTemplate', { name: word.toUpperCase(), update: 'true', enabled: 'false' })
    await sendEvents([late])
    await searchUntil(4, { searchQuery })
    await searchUntil(1, { searchQuery: `Took = 12 in type.${word}` })
  })

  it('is not needed for a log to be found by each type that its events name', async () => {
    const word = makeWord('types')
    const event = (type: string) => ({ message: type, productName: word, productType: type })
    await sendEvents([event(`${word}1`)])
    await searchUntil(1, { searchQuery: `* in type.${word}1` })
    await sendEvents([event(`${word}2`)])
    for (const type of ['1', '2']) {
      const { rows } = await searchUntil(2, { searchQuery: `* in type.${word}${type}` })
      expect(rows.map(({ message }) => message).sort()).toEqual([`${word}1`, `${word}2`])
    }
  })

  it('reads a real access log that an account sends as text', async () => {
    const word = makeWord('apache')
    const token = await makeListener(word, { pattern: APACHE, timeZone: 'UTC' })
    const bytes = readFileSync(APACHE_FILE)
    const lines = bytes.toString('utf8').split('\n').slice(0, -1)
    expectSuccess(await post(bytes, { token, headers: TEXT }), lines.length)
    await countUntil(lines.length, `Status = * in folder.${word}`)
    const codes = new Map<string, number>()
    for (const line of lines) {
      const [, code = ''] = /" (\d{3}) /.exec(line) ?? []
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    const counted = await searchUntil(codes.size, {
      searchQuery: `* in folder.${word} | count group by Status`,
    })
    expect(new Map(counted.rows.map((row) => [row.Status, Number(row.count)]))).toEqual(codes)
    const above = lines.filter((line) => Number(/" (\d{3}) /.exec(line)?.[1]) > 399).length
    await countUntil(above, `Status > 399 in folder.${word}`)
  })

  it('makes one event of a stack trace in the lines of an account', async () => {
    const word = makeWord('java')
    const token = await makeListener(word, { template: 'log4J and logback' })
    const trace = [
      `2024-05-01 10:00:00,123 ERROR [main] com.example.${word} - it broke`,
      'java.lang.IllegalStateException: no',
      '\tat com.example.A.b(A.java:1)',
      '',
      'Caused by: java.io.IOException',
    ].join('\n')
    const line = `2024-05-01 10:00:01,500 INFO [main] com.example.${word} - it goes on`
    expectSuccess(await post(`${trace}\n${line}\r\n`, { token, headers: TEXT }), 2)
    const found = await searchUntil(2, {
      searchQuery: `* in folder.${word} | display only message, Level, raw`,
    })
    expect(found.rows.map((row) => [row.message, row.Level, row.raw]).sort()).toEqual([
      [trace, 'ERROR', trace],
      [line, 'INFO', line],
    ])
    await searchUntil(1, { searchQuery: `"Caused by" in folder.${word}` })
  })
})
