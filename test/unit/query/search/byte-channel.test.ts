import { describe, expect, it } from 'vitest'
import { ByteChannel } from '../../../../query/search/byte-channel.ts'

const running = new AbortController().signal
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const bytes = (text: string) => Buffer.from(text)

async function readAll(body: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(body).text()
}

describe('ByteChannel', () => {
  it('lets the writer go on when the reader has taken, one chunk ahead at most', async () => {
    const channel = new ByteChannel()
    let written = 0
    const writing = (async () => {
      for (const text of ['a', 'b', 'c', 'd']) {
        await channel.write(bytes(text), running)
        written += 1
      }
      channel.end()
    })()
    await turn()
    expect(written).toBe(0)
    const reader = channel.body.getReader()
    const read: string[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      read.push(Buffer.from(next.value).toString())
      await turn()
      expect(written).toBe(read.length)
    }
    expect(read).toEqual(['a', 'b', 'c', 'd'])
    await writing
  })

  it('has begun with the first chunk or the end, not before', async () => {
    for (const begin of [
      (channel: ByteChannel) => void channel.write(bytes('a'), running),
      (channel: ByteChannel) => channel.end(),
    ]) {
      const channel = new ByteChannel()
      let hasBegun = false
      void channel.begun.then(() => {
        hasBegun = true
      })
      await channel.write(bytes(''), running)
      await turn()
      expect(hasBegun).toBe(false)
      begin(channel)
      await turn()
      expect(hasBegun).toBe(true)
    }
  })

  it('fails its reader, and what is written afterwards goes nowhere', async () => {
    const channel = new ByteChannel()
    const writing = channel.write(bytes('a'), running)
    channel.fail(new Error('cut'))
    await writing
    await channel.write(bytes('b'), running)
    channel.end()
    await expect(readAll(channel.body)).rejects.toThrow('cut')
  })

  it('keeps the writer no longer than its work may go on', async () => {
    const channel = new ByteChannel()
    const work = new AbortController()
    const writing = channel.write(bytes('a'), work.signal)
    work.abort(new Error('cancelled'))
    await expect(writing).rejects.toThrow('cancelled')
    await expect(channel.write(bytes('b'), work.signal)).rejects.toThrow('cancelled')
  })

  it('tells that its reader has gone, and keeps the writer no longer', async () => {
    const channel = new ByteChannel()
    const writing = channel.write(bytes('a'), running)
    await channel.body.cancel()
    await writing
    await channel.write(bytes('b'), running)
    channel.end()
    channel.fail(new Error('late'))
    expect(channel.gone.aborted).toBe(true)
  })
})
