// CloudEvents over HTTP, from the request to the search (docs/decisions/0031).
import { describe, expect, it } from 'vitest'
import { expectSuccess, type IngestOptions, post } from '../../support/clients/ingest-client.ts'
import { makeWord, search, searchUntil } from '../../support/clients/product-client.ts'

const PATH = '/logeye/api/cloudevents'
const BATCH = 'application/cloudevents-batch+json'

const send = (events: readonly string[], parameters: IngestOptions['parameters'] = {}) =>
  post(`[ ${events.join(' , ')} ]`, {
    path: PATH,
    headers: { 'content-type': BATCH },
    parameters,
  })

describe('CloudEvents', () => {
  it('are found with their time, host, source and columns, to the byte', async () => {
    const word = makeWord('cloud')
    const attributes = '"specversion":"1.0","type":"order.paid"'
    const events = [
      `{${attributes},"id":"1","source":"/${word}/a","time":"2026-01-02T03:04:05.5+02:00","data":{"message":"${word} paid","amount":1.10}}`,
      `{ "data" : "${word} größer" , ${attributes},"id":"2","source":"/${word}/b","time":"2026-01-02T01:04:06Z","traceparent":"00-ab" }`,
      `{${attributes},"id":"3","source":"/${word}/a","time":"2026-01-02T01:04:07Z","data":{"word":"${word}"}}`,
    ]
    expectSuccess(await send(events, { hostName: 'shop-1' }), 3)
    const columns = 'timestamp, host, source, message, raw, id, type, data.amount, traceparent'
    const { rows } = await searchUntil(3, {
      searchQuery: `${word} | list ${columns} | order by id`,
    })
    const times = rows.map(({ timestamp }) => new Date(`${timestamp}Z`).toISOString())
    expect(times).toEqual([
      '2026-01-02T01:04:05.500Z',
      '2026-01-02T01:04:06.000Z',
      '2026-01-02T01:04:07.000Z',
    ])
    expect(rows).toMatchObject([
      {
        ...{ host: 'shop-1', source: `/${word}/a`, message: `${word} paid`, raw: events[0] },
        ...{ id: '1', type: 'order.paid', 'data.amount': '1.10' },
      },
      {
        ...{ host: 'shop-1', source: `/${word}/b`, message: `${word} größer`, raw: events[1] },
        traceparent: '00-ab',
      },
      { source: `/${word}/a`, message: events[2], raw: events[2] },
    ])
    const ofSource = await search({
      searchQuery: `* in source."/${word}/b"`,
      fixedInterval: 'allData',
    })
    expect(ofSource.rows.map(({ message }) => message)).toEqual([`${word} größer`])
  })

  it('that are none are kept among the rejected, and cost the others nothing', async () => {
    const word = makeWord('bad')
    const bad = `{"specversion":"1.0","id":"${word}","type":"t"}`
    const good = `{"specversion":"1.0","id":"1","source":"s","type":"t","data":"${word}"}`
    const answer = await send([bad, good])
    expect(answer).toMatchObject({
      status: 200,
      body: { accepted: 1, rejected: 1, errors: [{ index: 0, code: 'missing_attribute' }] },
    })
    await searchUntil(1, { searchQuery: `${word} not in log.System->rejected` })
    const rejected = await searchUntil(1, {
      searchQuery: `${word} in log.System->rejected | display only raw, reason, form`,
    })
    expect(rejected.rows).toEqual([{ raw: bad, reason: 'missing_attribute', form: 'cloudevents' }])
  })

  it('say with debug=1 where they would go', async () => {
    const event = `{"specversion":"1.0","id":"1","source":"s","type":"t","time":"2026-01-02T03:04:05Z","data":{"message":"m","n":1.50}}`
    const answer = await send([event], { debug: '1', hostName: 'h-1' })
    expect(answer.body?.events).toMatchObject([
      {
        ...{ index: 0, host: 'h-1', time: '2026-01-02T03:04:05.000Z' },
        columns: { id: '1', source: 's', type: 't', 'data.n': '1.50' },
      },
    ])
  })

  it('are stored once when a request is repeated with its key', async () => {
    const word = makeWord('once')
    const event = `{"specversion":"1.0","id":"1","source":"s","type":"t","data":"${word}"}`
    for (let time = 0; time < 2; time += 1)
      expectSuccess(
        await post(event, {
          path: PATH,
          headers: { 'content-type': 'application/cloudevents+json', 'Idempotency-Key': word },
        }),
        1,
      )
    await searchUntil(1, { searchQuery: word })
    const later = makeWord('later')
    expectSuccess(await send([event.replace(word, later)]), 1)
    await searchUntil(1, { searchQuery: later })
    expect((await search({ searchQuery: word, fixedInterval: 'allData' })).rows).toHaveLength(1)
  })
})
