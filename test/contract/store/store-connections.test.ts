// Connections to the store: none stays that nobody uses, however its call ended.
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { SOON } from '../../support/run/patience.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'
import { failureOf, LONG_QUERY } from '../../support/store/store-variants.ts'

describe('connections to the store', () => {
  let engine: SharedStore
  let between: Server
  let store: Store
  let open = 0
  let opened = 0
  let onSent = (_: Buffer) => {}
  beforeAll(async () => {
    engine = await openSharedStore({ shouldMigrate: false })
    const { hostname, port } = new URL(engine.url)
    between = createServer((client) => {
      open += 1
      opened += 1
      const server = connect({ host: hostname, port: Number(port) })
      client.on('close', () => {
        open -= 1
        server.destroy()
      })
      client.on('data', (sent) => onSent(sent))
      for (const one of [client, server]) one.on('error', () => one.destroy())
      server.on('close', () => client.destroy())
      client.pipe(server).pipe(client)
    })
    between.listen(0, '127.0.0.1')
    await once(between, 'listening')
    const address = between.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    store = await openStore({ url: `http://127.0.0.1:${address.port}`, password: engine.password })
  })
  afterAll(async () => {
    await store?.close()
    between?.close()
    await engine?.stop()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are given back soon after a call was answered, refused or given up', async () => {
    const ending = new AbortController()
    const calls = Promise.allSettled([
      store.query({ sql: 'SELECT 1' }),
      store.query({ sql: 'SELECT none' }),
      store.query({ sql: 'SELECT number FROM numbers(10)', settings: { max_result_rows: 1 } }),
      store.query({ sql: LONG_QUERY, signal: ending.signal }),
    ])
    await expect.poll(() => opened, SOON).toBe(4)
    ending.abort()
    const ends = await calls
    expect(ends.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected'],
    ])
    await expect.poll(() => open, SOON).toBe(0)
  })

  it('serve one call after the other', async () => {
    for (let at = 0; at < 5; at += 1) await store.query({ sql: 'SELECT 1' })
    expect(open).toBe(1)
  })

  it('are not ended in another call by a call that was given up as it began', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await store.query({ sql: 'SELECT 1' })
    vi.advanceTimersByTime(2000)
    const ending = new AbortController()
    const given = failureOf(store.query({ sql: LONG_QUERY, signal: ending.signal }))
    ending.abort()
    expect(await given).toBe('store.cancelled')
    const sent = new Promise<void>((resolve) => {
      let count = 0
      onSent = (bytes) => {
        if (bytes.includes('sleep(1)')) count += 1
        if (count === 3) resolve()
      }
    })
    // Longer than an idle connection is kept: its end must not be that of a call.
    const calls = ['1', '2', '3'].map((n) => store.query({ sql: `SELECT ${n}, sleep(1)` }))
    await sent
    vi.advanceTimersByTime(3000)
    expect((await Promise.all(calls)).flat()).toHaveLength(3)
  })
})
