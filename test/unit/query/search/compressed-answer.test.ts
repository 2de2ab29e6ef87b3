// Streams of exports and result files, compressed where the client takes gzip.
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ByteChannel } from '../../../../query/search/byte-channel.ts'
import { streamedAnswer, takesGzip } from '../../../../query/search/compressed-answer.ts'

const running = new AbortController().signal
const CHUNK = Buffer.from('{"message":"a row of an export"}\n'.repeat(2000))

function answer(body: ReadableStream<Uint8Array>, encoding = 'gzip'): Response {
  const request = new Request('http://localhost/', { headers: { 'accept-encoding': encoding } })
  return streamedAnswer(request, body, 'application/x-ndjson')
}

describe('what a client takes', () => {
  it.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, GZIP;q=0.2', true],
    ['*', true],
    ['', false],
    ['identity', false],
    ['br, deflate', false],
    ['gzip;q=0', false],
    ['gzip; q=0.0, *', false],
    ['*;q=0', false],
    ['gzip;q=x', false],
  ])('by %s', (header, isTaken) => {
    expect(takesGzip(header)).toBe(isTaken)
  })
})

describe('a streamed answer', () => {
  it('is a fraction of its rows, and all of them', async () => {
    const channel = new ByteChannel()
    const response = answer(channel.body)
    const received = response.arrayBuffer()
    for (let n = 0; n < 50; n += 1) await channel.write(CHUNK, running)
    channel.end()
    const bytes = Buffer.from(await received)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(bytes.length * 10).toBeLessThan(50 * CHUNK.length)
    expect(gunzipSync(bytes).equals(Buffer.concat(Array(50).fill(CHUNK)))).toBe(true)
  })

  it('goes out as it is to who does not take gzip', async () => {
    const channel = new ByteChannel()
    const response = answer(channel.body, 'br')
    void channel.write(CHUNK, running).then(() => channel.end())
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(Buffer.from(await response.arrayBuffer()).equals(CHUNK)).toBe(true)
  })

  it('has no end when its rows fail', async () => {
    const channel = new ByteChannel()
    const received = answer(channel.body).arrayBuffer()
    received.catch(() => undefined)
    await channel.write(CHUNK, running)
    channel.fail(new Error('the store is gone'))
    await expect(received).rejects.toThrow('the store is gone')
  })

  it('takes rows only as the client takes bytes', async () => {
    const channel = new ByteChannel()
    const reader = answer(channel.body).body?.getReader()
    let written = 0
    const noise = () => crypto.getRandomValues(new Uint8Array(65_536))
    const writing = (async () => {
      for (; written < 1000 && !channel.gone.aborted; written += 1)
        await channel.write(noise(), running)
    })()
    await reader?.read()
    // Another one, read whole, has as many turns as this one would need for all of its rows.
    const other = new ByteChannel()
    const received = answer(other.body).arrayBuffer()
    for (let n = 0; n < 1000; n += 1) await other.write(CHUNK, running)
    other.end()
    await received
    expect(written).toBeLessThan(20)
    await reader?.cancel()
    await writing
    expect(channel.gone.aborted).toBe(true)
    expect(written).toBeLessThan(20)
  })
  it('ends a search that waits for its first row when the client goes', async () => {
    const channel = new ByteChannel()
    const reader = answer(channel.body).body?.getReader()
    void reader?.read().catch(() => undefined)
    await setImmediate()
    await reader?.cancel()
    await expect.poll(() => channel.gone.aborted).toBe(true)
  })
})
