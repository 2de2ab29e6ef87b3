// A query that is not what was meant is never answered without a word (decision 4.10): it fails, or
// every surface warns.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { explain } from '../../../query/search-json/calls/explain.ts'
import { table } from '../../../query/search-json/calls/table.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import { type Warning, warningSchema } from '../../../schemas/warning.ts'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeJsonClient, readRefusal } from '../../support/clients/json-client.ts'
import {
  admin,
  callSearch,
  makeWord,
  productUrl,
  searchUntil,
  sendEvents,
} from '../../support/clients/product-client.ts'

const host = makeWord()
const json = makeJsonClient((path, init) => fetch(`${productUrl()}${path}`, init), admin())
const scope = `in server.${host}`
/** Each event has them all. */
const COLUMNS = {
  bytes: 5,
  bytes_in: 3,
  duration_ms: 12,
  service: 'web',
  user: 'anna',
  level: 'ERROR',
}

beforeAll(async () => {
  const events = [1, 2, 3].map((number) => ({ ...COLUMNS, message: `${host} number ${number}` }))
  await sendEvents(events, { hostName: host })
  await searchUntil(3, { searchQuery: `* ${scope}` })
})

/** Words of the message. */
const WRONG: readonly (readonly [string, string])[] = [
  ['* | order by bytes limit 3', '| is missing before limit'],
  ['* | avg duration_ms by service', 'by is expected after group'],
  ['* | count()', 'a function has no parentheses'],
  ['* | avg(bytes)', 'a function has no parentheses'],
  ['* | count dinstinct user', "the nearest is 'distinct'"],
  ['* | sum bytes group by service where s > 5', '| is missing before where'],
  ['* | stats count by host', "unknown stage 'stats'"],
  ['* | count as n by service', 'by'],
  ['* | count interval 5x', 'no interval is'],
]

const DOUBTFUL: readonly (readonly [string, string, string])[] = [
  ['* | dedup usr', 'query.unknown_column', "the nearest is 'user'"],
  ['* | order by duraton_ms', 'query.unknown_column', "the nearest is 'duration_ms'"],
  ['bytes > bytes_in', 'query.column_as_text', 'is a column, and is compared as a text'],
  ["level = 'ERROR'", 'query.quotation_marks', 'are not quotation marks'],
  ['level = ERROR && user = anna', 'query.other_language', '&&'],
  ['message like "%x%"', 'query.other_language', 'like'],
  ['_time:5m level:ERROR', 'query.other_language', '_time'],
  ['error and not msg:*timeout*', 'query.other_language', 'message = *timeout*'],
  ['bytes > 2*bytes_in', 'query.other_language', 'is not worked out'],
  ['bytes >= 5*', 'query.compared_as_text', 'wildcards after ='],
  ['* | order by duraton', 'query.unknown_column', "the nearest is 'duration_ms'"],
]

/** As `query` with the scope of this file's events. */
/** They ask for events, which a tail has not found yet. */
const OF_EVENTS = ['query.no_such_word', 'query.not_checked']

/** They need no columns of a log. */
const IN_ANY_LOG = new Set(['query.other_language', 'query.quotation_marks'])

const scoped = (query: string) => {
  const [filter = '', ...stages] = query.split(' | ')
  return [`${filter} ${scope}`, ...stages].join(' | ')
}

async function askJson(name: string, query: string) {
  return await json.post(name, { query, interval: 'allData' })
}

async function readWarnings(name: string, query: string): Promise<readonly Warning[]> {
  const answer = await askJson(name, query)
  const told = z.object({ warnings: z.array(warningSchema) })
  return okEnvelope(told).parse(await answer.json()).response.warnings
}

async function askXml(query: string, parameters: Readonly<Record<string, string>>) {
  const form = {
    widgetId: 'searchAPI',
    searchQuery: query,
    fixedInterval: 'allData',
    ...parameters,
  }
  const answer = await callSearch(form)
  return { text: await answer.text(), header: answer.headers.get('x-logeye-warnings') }
}

describe('what can only be a mistake', () => {
  it.each(WRONG)('%s fails', async (query, reason) => {
    for (const resultFormat of ['xml', 'csv', 'json']) {
      const { text } = await askXml(scoped(query), { resultFormat, warnings: 'true' })
      expect(text).toContain('state="Fail"')
      expect(text).toContain(reason)
    }
    for (const name of [table.name, explain.name]) {
      const refusal = await readRefusal(await askJson(name, scoped(query)))
      expect(refusal.code).toBe('invalid_query')
      expect(refusal.message).toContain(reason)
      expect(refusal.position).toBeGreaterThan(0)
    }
  })
})

describe('what may be one', () => {
  it.each(DOUBTFUL)('%s warns everywhere', async (query, code, reason) => {
    const text = scoped(query)
    for (const name of [table.name, explain.name]) {
      const warnings = await readWarnings(name, text)
      expect(warnings.map((warning) => warning.code)).toContain(code)
      expect(warnings.map(({ message }) => message).join()).toContain(reason)
      for (const { position } of warnings) expect(text.charAt((position ?? 0) - 1)).toMatch(/\S/)
    }
    const told = await askXml(text, { warnings: 'true' })
    expect(told.text).toMatch(
      new RegExp(`<Warnings>.*<Warning code="${code}" position="\\d+"[^>]*>`),
    )
    expect((await askXml(text, {})).text).not.toContain('<Warnings>')
    const exported = await askXml(text, { resultFormat: 'json' })
    expect(exported.header).toContain(`${code}=`)
    const asCsv = await askXml(text, { resultFormat: 'csv', warnings: 'true' })
    expect(asCsv.text).toContain(`<Warning code="${code}"`)
  })

  it.each(DOUBTFUL.filter(([query]) => !query.includes('|')))(
    '%s warns once in the live tail',
    async (query, code, reason) => {
      const tail = await json.tail(scoped(query))
      await expect.poll(() => tail.warnings).toContainEqual(expect.objectContaining({ code }))
      expect(tail.warnings.map(({ message }) => message).join()).toContain(reason)
      // A tail has found nothing yet, so it cannot tell of words.
      const told = await readWarnings(explain.name, scoped(query))
      expect(tail.warnings).toEqual(told.filter(({ code }) => !OF_EVENTS.includes(code)))
      tail.close()
    },
  )

  it('a live tail goes on after its warnings', async () => {
    const word = makeWord()
    const tail = await json.tail(`${word} and not levl = ERROR`)
    await sendEvents([{ message: word }], { hostName: host })
    await tail.until(1)
    expect(tail.warnings.map((warning) => warning.code)).toEqual(['query.unknown_column'])
    tail.close()
    const right = await json.tail(word, tail.lastId())
    await sendEvents([{ message: word }], { hostName: host })
    await right.until(1)
    expect(right.warnings).toEqual([])
    right.close()
  })

  it('a right query has none', async () => {
    const text = scoped('level = ERROR | count group by service | order by count desc')
    expect(await readWarnings(table.name, text)).toEqual([])
    expect((await askXml(text, { warnings: 'true' })).text).not.toContain('<Warnings>')
    expect((await askXml(text, { resultFormat: 'json' })).header).toBeNull()
  })
})

// The SDK has no search: it takes a filter of a log, whose columns it does not know.
describe('the SDK', () => {
  const addLog = async (dataFilterQuery: string) => {
    const reply = await callSdk({ url: productUrl(), password: admin().password }, 'addLog', {
      name: makeWord(),
      dataFilterQuery,
    })
    const { notes } = z
      .object({ notes: z.array(z.string()) })
      .partial()
      .parse(reply.response ?? {})
    return { ...reply, notes: notes?.join() ?? '' }
  }

  it.each(
    DOUBTFUL.filter(([query, code]) => !/[|*]bytes| [|] /.test(query) && IN_ANY_LOG.has(code)),
  )('%s has a note', async (query, _, reason) => {
    const { success, notes } = await addLog(query)
    expect(success).toBe(true)
    expect(notes).toContain(reason)
  })

  it.each(WRONG)('%s is refused', async (query) => {
    expect(await addLog(query)).toMatchObject({ success: false })
  })
})

describe('a parameter that is not known', () => {
  it('is ignored, with the nearest one', async () => {
    const { text } = await askXml(`* ${scope}`, { maxNumofRecords: '1', warnings: 'true' })
    expect(Number(/numberOfResults="(\d+)"/.exec(text)?.[1])).toBeGreaterThan(1)
    expect(text).toContain('<Warning code="search.unknown_parameter">')
    expect(text).toContain("unknown parameter 'maxNumofRecords', the nearest is 'maxNumOfRecords'")
  })

  it('of the JSON interface is refused', async () => {
    const answer = await json.post(table.name, { query: '*', intervall: 'allData' })
    expect(answer.status).toBe(400)
  })
})
