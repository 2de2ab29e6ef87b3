// The JSON interface from outside, on a product of this file's own, whose processes are killed: the
// live tail shows every matching event once, a client that reads nothing costs no memory, and what
// a user may not view does not exist.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../../query/search-json/calls/context.ts'
import { facets, histogram, overview } from '../../../query/search-json/calls/counts.ts'
import { events } from '../../../query/search-json/calls/events.ts'
import { explain } from '../../../query/search-json/calls/explain.ts'
import { table } from '../../../query/search-json/calls/table.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { patient, SOON } from '../../support/run/patience.ts'

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-search-json-'))
const reader = { name: 'reader', password: 'password of the reader' }

beforeAll(async () => {
  product = await startProduct({ dataDir })
}, 60_000)
afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

const client = (user = { name: 'admin', password: product.secrets.password }) =>
  makeJsonClient((path, init) => fetch(`${product.url}${path}`, init), user)

/** Repeats until it is taken: the listener answers while other processes are away. */
async function send(sent: readonly object[]): Promise<void> {
  const body = sent.map((event) => JSON.stringify(event)).join('\n')
  const address = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  for (let n = 0; n < 100; n += 1) {
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    if (answer.status === 200) return
    await sleep(100)
  }
  throw new Error('the events were not taken')
}

const numbersOf = (found: readonly { readonly columns: Record<string, string> }[]) =>
  found.map(({ columns }) => Number(columns.n))

describe('a live tail', () => {
  it('shows every matching event of a load once, late ones too, over kill -9 of store and writer', async () => {
    const tail = await client().tail('wanted')
    const batches = 60
    const each = 20
    let next = 0
    for (let batch = 0; batch < batches; batch += 1) {
      const sent = Array.from({ length: each }, () => {
        const n = next
        next += 1
        // Every third has a time of its own, long past.
        const late = n % 3 === 0 ? { timestamp: new Date(1_700_000_000_000 + n * 1000) } : {}
        return { message: n % 2 === 0 ? 'wanted' : 'other', n, ...late }
      })
      await send(sent)
      if (batch === 15) process.kill(await product.pidOf('store'), 'SIGKILL')
      if (batch === 30) process.kill(await product.pidOf('work'), 'SIGKILL')
      if (batch === 45) {
        process.kill(await product.pidOf('store'), 'SIGKILL')
        process.kill(await product.pidOf('work'), 'SIGKILL')
      }
      await sleep(30)
    }
    const wanted = Array.from({ length: (batches * each) / 2 }, (_, n) => n * 2)
    await tail.until(wanted.length)
    await sleep(1000)
    expect(numbersOf(tail.events)).toEqual(wanted)
    expect(tail.errors).toEqual([])
    tail.close()
  }, 120_000)

  // How far it is behind is measured by loadtest/tail-load.ts.
  it('brings each event when it is there, not with the next one', async () => {
    const tail = await client().tail('quick')
    const delays: number[] = []
    for (let n = 0; n < 20; n += 1) {
      await send([{ message: 'quick', n }])
      const started = performance.now()
      await tail.until(n + 1)
      delays.push(performance.now() - started)
    }
    tail.close()
    delays.sort((a, b) => a - b)
    expect(delays[10]).toBeLessThan(patient(1000))
  })

  it('goes on behind Last-Event-ID, and behind the newest page, without gap or repetition', async () => {
    await send([1, 2, 3].map((n) => ({ message: 'resumed', n })))
    let page = await client().ask(events, { query: 'resumed' })
    while (page.data.length < 3) {
      await sleep(50)
      page = await client().ask(events, { query: 'resumed' })
    }
    const first = await client().tail('resumed', page.tailId)
    await send([4, 5, 6].map((n) => ({ message: 'resumed', n })))
    await first.until(3)
    expect(numbersOf(first.events)).toEqual([4, 5, 6])
    const id = first.lastId()
    first.close()
    await send([7, 8, 9].map((n) => ({ message: 'resumed', n })))
    const second = await client().tail('resumed', id)
    await second.until(3)
    await sleep(500)
    expect(numbersOf(second.events)).toEqual([7, 8, 9])
    second.close()
  })

  it('holds nothing for a client that does not read, which then gets everything', async () => {
    const front = await product.pidOf('front')
    const rss = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${front}/status`, 'utf8'))?.[1]) / 1024
    const { authorization } = basic()
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpGet(
        `${product.url}/logeye/api/search/tail?query=heavy`,
        { headers: { authorization } },
        resolve,
      )
      request.on('error', reject)
    })
    response.pause()
    const text = 'x'.repeat(100_000)
    const before = rss()
    let highest = before
    for (let n = 0; n < 600; n += 10) {
      await send(Array.from({ length: 10 }, (_, k) => ({ message: `heavy ${text}`, n: n + k })))
      highest = Math.max(highest, rss())
    }
    await sleep(2000)
    highest = Math.max(highest, rss())
    // 60 MB of events went in.
    expect(highest - before).toBeLessThan(150)
    let received = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      received += chunk.replaceAll(/x{1000,}/g, '')
    })
    response.resume()
    const count = () => [...received.matchAll(/"n":"(\d+)"/g)].map((match) => Number(match[1]))
    for (let n = 0; n < 600 && count().length < 600; n += 1) await sleep(100)
    expect(count()).toEqual(Array.from({ length: 600 }, (_, n) => n))
    response.destroy()
  }, 120_000)

  it('is refused when a user has too many open, and free again when one ends', async () => {
    const open: Awaited<ReturnType<ReturnType<typeof client>['tail']>>[] = []
    const openOneMore = () =>
      client()
        .tail('none')
        .then(
          (tail) => open.push(tail),
          () => 0,
        )
    try {
      // The place of a client that has just gone is free a moment later.
      for (let n = 1; n <= 5; n += 1) await expect.poll(openOneMore, SOON).toBe(n)
      await expect(client().tail('none')).rejects.toThrow('"code":"busy"')
      open[0]?.close()
      await expect.poll(openOneMore, SOON).toBe(6)
    } finally {
      for (const tail of open) tail.close()
    }
  })

  it('refuses a wrong filter and a foreign position before it begins', async () => {
    // The places of clients that have just gone are free a moment later.
    await expect.poll(() => client().tail('a = ').catch(String), SOON).toContain('"position":5')
    await expect(client().tail('* | count')).rejects.toThrow('without stages')
    await expect(client().tail('*', 'nonsense')).rejects.toThrow('lastEventId')
  })
})

function basic() {
  const pair = `admin:${product.secrets.password}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

async function sdk(command: string, given: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${product.url}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...basic() },
    body: JSON.stringify(given),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
}

describe('a log that a user may not view', () => {
  // The same in length and shape; `b` never exists.
  const hidden = { log: 'deep a7', folder: 'Vault a7', column: 'pin a7' }
  const absent = { log: 'deep b7', folder: 'Vault b7', column: 'pin b7' }
  const neutral = (value: unknown) =>
    JSON.stringify(value, (key, inner) =>
      // What the store took differs from call to call.
      ['elapsedMs', 'rowsRead', 'bytesRead', 'nextCursor', 'tailId', 'start', 'end'].includes(key)
        ? 0
        : inner,
    ).replaceAll(/[ab]7/g, '?')
  let secretId = ''

  beforeAll(async () => {
    const { userName, userPassword } = { userName: reader.name, userPassword: reader.password }
    await sdk('securityUsers', { action: 'add', userName, userPassword })
    await send([
      {
        message: 'vaulted secret',
        [hidden.column]: 'treasure',
        productPath: hidden.folder,
        productName: hidden.log,
      },
      { message: 'vaulted open', colour: 'red', productPath: 'Open', productName: 'open' },
    ])
    for (;;) {
      const page = await client().ask(events, { query: 'vaulted' })
      secretId = page.data.find(({ message }) => message === 'vaulted secret')?.id ?? ''
      if (page.data.length === 2) break
      await sleep(50)
    }
    await sdk('setPermissions', { path: `Events->${hidden.folder}`, type: 'folder', viewUsers: '' })
    for (;;) {
      const page = await client(reader).ask(events, { query: 'vaulted' })
      if (page.data.length === 1) break
      await sleep(50)
    }
  }, 60_000)

  it('is in no page, count, facet, table or completion', async () => {
    const ask = client(reader)
    const page = await ask.ask(events, { query: 'vaulted' })
    expect(page.data.map(({ message }) => message)).toEqual(['vaulted open'])
    const columns = ['log', 'folder', hidden.column, 'colour']
    const seen = await ask.ask(overview, { query: 'vaulted', columns })
    expect(seen.total).toBe(1)
    expect(seen.facets.map(({ isKnown }) => isKnown)).toEqual([true, true, false, true])
    expect((await ask.ask(table, { query: 'vaulted | count' })).rows).toEqual([['1']])
    expect((await ask.ask(histogram, { query: 'vaulted', by: 'log' })).total).toBe(1)
    const all = await ask.ask(facets, { columns, interval: 'allData', limit: 100 })
    expect(JSON.stringify(all)).not.toMatch(/Vault|deep|treasure/)
  })

  it.each([
    ['events', { query: 'vaulted in log.X' }],
    ['overview', { query: 'vaulted Y = treasure', columns: ['Y', 'log'] }],
    ['histogram', { query: 'vaulted in folder.Z', by: 'Y' }],
    ['facets', { query: 'NOT Y = treasure vaulted', columns: ['Y'] }],
    ['explain', { query: 'Y = treasure in log.X' }],
    ['explain', { query: 'vaulted in folder.Z | count | group by Y' }],
    ['query', { query: 'vaulted in log.X | count | group by Y, log' }],
    ['query', { query: 'vaulted Y = | count' }],
  ])('answers %s alike for it and for one that does not exist', async (name, body) => {
    const ask = async (names: typeof hidden) => {
      const filled = JSON.stringify(body)
        .replaceAll('X', names.log)
        .replaceAll('Y', names.column)
        .replaceAll('Z', names.folder)
      const answer = await client(reader).post(name, JSON.parse(filled))
      return neutral([answer.status, await answer.json()])
    }
    expect(await ask(hidden)).toBe(await ask(absent))
    expect(await ask(hidden)).not.toContain('secret')
  })

  it('has no context, and neither the statement nor what was read is told', async () => {
    expect(await client(reader).refusal('context', { event: secretId })).toMatchObject({
      code: 'not_found',
    })
    const around = await client().ask(context, { event: secretId })
    expect(around.event.message).toBe('vaulted secret')
    const query = 'nothing'
    // What the store reads for one log lies among the events of others.
    const untold = { statement: null, rowsRead: null, bytesRead: null }
    expect(await client(reader).ask(explain, { query })).toMatchObject(untold)
    const told = await client().ask(explain, { query })
    expect(told.statement?.sql).toMatch(/^SELECT/)
    expect([told.rowsRead, told.bytesRead]).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('is not in a tail, and leaves one that is open when the right goes', async () => {
    const tail = await client(reader).tail('vaulted')
    const publish = (n: number) =>
      send([
        { message: 'vaulted secret', n, productPath: hidden.folder, productName: hidden.log },
        { message: 'vaulted open', n, productPath: 'Open', productName: 'open' },
      ])
    await publish(1)
    await tail.until(1)
    const before = (await client().ask(events, { query: 'vaulted' })).data.length
    await sdk('setPermissions', { path: 'Events->Open', type: 'folder', viewUsers: '' })
    const count = async (of: ReturnType<typeof client>) =>
      (await of.ask(events, { query: 'vaulted' })).data.length
    await expect.poll(() => count(client(reader)), SOON).toBe(0)
    await publish(2)
    await expect.poll(() => count(client()), SOON).toBe(before + 2)
    await sleep(1500)
    expect(tail.events.map(({ message, columns }) => [message, columns.n])).toEqual([
      ['vaulted open', '1'],
    ])
    tail.close()
  })

  it('ends the tail of a user who is disabled', async () => {
    const tail = await client(reader).tail('vaulted')
    await sdk('securityUsers', { action: 'edit', userName: reader.name, enabled: 'false' })
    for (let n = 0; n < 300 && tail.errors.length === 0; n += 1) await sleep(100)
    expect(tail.errors.join()).toContain('sign_in_failed')
  })
})
