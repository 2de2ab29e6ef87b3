// Connections to the store: none stays that nobody uses, however its call ended.
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { SOON } from '../../support/run/patience.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'

describe('connections to the store', () => {
  let engine: EmbeddedStore
  let between: Server
  let store: Store
  let open = 0
  let opened = 0
  beforeAll(async () => {
    engine = await startEmbeddedStore({ shouldMigrate: false })
    const { hostname, port } = new URL(engine.url)
    between = createServer((client) => {
      open += 1
      opened += 1
      const server = connect({ host: hostname, port: Number(port) })
      client.on('close', () => {
        open -= 1
        server.destroy()
      })
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

  it('are given back soon after a call was answered, refused or given up', async () => {
    const ending = new AbortController()
    const calls = [
      store.query({ sql: 'SELECT 1' }),
      store.query({ sql: 'SELECT none' }),
      store.query({ sql: 'SELECT number FROM numbers(10)', settings: { max_result_rows: 1 } }),
      store.query({ sql: 'SELECT sleep(3)', signal: ending.signal }),
    ]
    await expect.poll(() => opened, SOON).toBe(4)
    ending.abort()
    const ends = await Promise.allSettled(calls)
    expect(ends.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected'],
    ])
    await expect.poll(() => open, SOON).toBe(0)
  })

  it('serve one call after the other', async () => {
    for (let at = 0; at < 5; at += 1) await store.query({ sql: 'SELECT 1' })
    expect(open).toBe(1)
  })
})
