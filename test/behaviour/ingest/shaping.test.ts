// What an account stores and takes (docs/decisions/0090): drop rules, sampling, a second token,
// addresses, rates and the volume of a day.
import { describe, expect, it } from 'vitest'
import { expectSuccess, post } from '../../support/clients/ingest-client.ts'
import {
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
} from '../../support/clients/product-client.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

async function makeListener(given: Readonly<Record<string, string>>) {
  const word = makeWord('shape')
  const { token } = await sdk('addListener', { name: word, ...given })
  return { word, parameters: { token: String(token) } }
}

const lines = (events: readonly object[]) => events.map((event) => JSON.stringify(event)).join('\n')

/** `outcome` of the writer, as the metrics say. */
async function countOf(outcome: string): Promise<number> {
  const text = await (await fetch(`${productUrl()}/metrics`)).text()
  const found = new RegExp(`^logeye_writer_events_total\\{.*outcome="${outcome}".*\\} (\\d+)`, 'gm')
  return [...text.matchAll(found)].reduce((sum, [, count]) => sum + Number(count), 0)
}

describe('an account', () => {
  it('does not store what its drop filter selects, and counts it', async () => {
    const dropFilter =
      'level = debug or "health check" or (user.id >= 100 and not status in (500, 503)) or noisy*'
    const { word, parameters } = await makeListener({ dropFilter })
    const before = await countOf('dropped')
    const events = [
      { message: `${word} kept`, level: 'info' },
      { message: `${word} first`, level: 'DEBUG' },
      { message: `${word} a health   check passed` },
      { message: `${word} healthcheck` },
      { message: `${word} second`, user: { id: 150 }, status: 200 },
      { message: `${word} kept too`, user: { id: 150 }, status: 503 },
      { message: `${word} small`, user: { id: 99 } },
      { message: `${word} noisyneighbour` },
    ]
    expectSuccess(await post(lines(events), { parameters }), events.length)
    const { rows } = await searchUntil(4, { searchQuery: word })
    expect(rows.map(({ message }) => message?.slice(word.length + 1)).sort()).toEqual([
      'healthcheck',
      'kept',
      'kept too',
      'small',
    ])
    await expect.poll(async () => (await countOf('dropped')) - before).toBe(4)
    // The same filter as a query finds none of what is stored.
    const found = await search({ searchQuery: `${word} (${dropFilter})`, fixedInterval: 'allData' })
    expect(found.numberOfResults).toBe(0)
  })

  it.each([
    ['level = debug | count', 'without anything after a |'],
    ['x in log.a', 'a scope'],
    ['*', 'selects everything'],
    ['message matches "(a+)+"', 'matches is not possible'],
    ['timestamp > 1', 'only when it is stored'],
    ['(', 'query error'],
  ])('refuses the drop filter %s', async (dropFilter, reason) => {
    await expect(sdk('addListener', { name: makeWord('no'), dropFilter })).rejects.toThrow(
      new RegExp(`dropFilter.*${reason.replace('|', '\\|')}`),
    )
  })

  it('stores the sampled part of its events, and counts the others', async () => {
    const { word, parameters } = await makeListener({ sampledPercent: '25' })
    const events = Array.from({ length: 2000 }, (_, n) => ({ message: word, n }))
    expectSuccess(await post(lines([...events]), { parameters }), 2000)
    const query = { searchQuery: `${word} | count`, fixedInterval: 'allData' }
    const stored = async () => Number((await search(query)).rows[0]?.count ?? 0)
    await waitUntil('the sampled part is stored', async () => (await stored()) > 400, stored)
    expect(Number((await search(query)).rows[0]?.count)).toBeLessThan(600)
    const none = await makeListener({ sampledPercent: '0' })
    expectSuccess(await post(lines(events), { parameters: none.parameters }), 2000)
    await searchUntil(0, { searchQuery: none.word })
  })

  it('may have two tokens for a while', async () => {
    const { word, parameters } = await makeListener({})
    const renew = { name: word, update: 'true', newToken: 'true' }
    const { token } = await sdk('addListener', { ...renew, oldTokenHours: '1' })
    const body = JSON.stringify({ message: word })
    const second = { token: String(token) }
    await expect.poll(async () => (await post(body, { parameters: second })).status).toBe(200)
    expect((await post(body, { parameters })).status).toBe(200)
    const { token: third } = await sdk('addListener', renew)
    await expect
      .poll(async () => (await post(body, { parameters: { token: String(third) } })).status)
      .toBe(200)
    await expect.poll(async () => (await post(body, { parameters: second })).status).toBe(400)
    expect((await post(body, { parameters })).status).toBe(400)
  })

  it('takes events from its addresses alone, and tells others nothing of itself', async () => {
    const { word, parameters } = await makeListener({
      allowedAddresses: '10.0.0.0/8,2001:db8::/32',
    })
    const body = JSON.stringify({ message: word })
    expect(await post(body, { parameters })).toMatchObject({ status: 400, body: { code: 4 } })
    const allowedAddresses = '127.0.0.0/8,::1'
    await sdk('addListener', { name: word, update: 'true', allowedAddresses })
    await expect.poll(async () => (await post(body, { parameters })).status).toBe(200)
  })

  it.each([
    ['maxEventsPerSecond', '5', 'in a second'],
    ['maxBytesPerSecond', '50', 'in a second'],
    ['maxBytesPerDay', '300', 'on this day'],
  ])(
    'answers 500 with Retry-After beyond %s, and keeps what it took',
    async (limit, most, text) => {
      const { word, parameters } = await makeListener({ [limit]: most })
      const body = lines(Array.from({ length: 20 }, (_, n) => ({ message: `${word} ${n}` })))
      const send = async () => {
        const address = new URL(`${productUrl()}/logeye/api/logger.jsp`)
        address.searchParams.set('token', parameters.token)
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(address, { method: 'POST', headers, body })
        return { answer, text: await answer.text() }
      }
      const answers = [await send()]
      const statuses = () => answers.map(({ answer }) => answer.status)
      // Those that begin at one time may all be accepted, and a second or a day may end meanwhile.
      await waitUntil('one is refused', async () => {
        answers.push(...(await Promise.all([send(), send()])))
        return statuses().includes(500)
      })
      const taken = answers.filter(({ answer }) => answer.status === 200)
      const refused = answers.filter(({ answer }) => answer.status === 500)
      expect(taken.length + refused.length).toBe(answers.length)
      expect(taken.length).toBeGreaterThan(0)
      expect(refused[0]?.text).toContain(text)
      expect(refused[0]?.answer.headers.get('retry-after')).toMatch(/^\d+$/)
      await searchUntil(20 * taken.length, { searchQuery: word })
    },
  )
})
