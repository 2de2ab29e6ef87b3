// What a live tail gives in parts goes on in pieces that a block of the event log can hold.
import { expect, it } from 'vitest'
import type { TailMessage } from '../../../../infra/outbound/remote-logeye.ts'
import { gather } from '../../../../ingest/collect/copies/gather.ts'

const MIB = 1024 * 1024

async function sizesOf(columns: Record<string, string>): Promise<number[]> {
  const event = {
    timestamp: '2026-01-01T00:00:00.000Z',
    host: '',
    source: '',
    message: 'm',
    columns,
  }
  async function* parts(): AsyncGenerator<readonly TailMessage[]> {
    for (let at = 0; at < 400; at += 1) yield [{ mark: String(at), event }]
  }
  const { signal } = new AbortController()
  const sizes: number[] = []
  for await (const piece of gather(parts(), { signal, sleep: () => new Promise(() => undefined) }))
    sizes.push(piece.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(400)
  return sizes
}

it('joins small events', async () => {
  expect(await sizesOf({ level: 'info' })).toEqual([400])
})

it.each([
  ['values', { body: 'x'.repeat(100_000) }],
  ['names', { ['n'.repeat(100_000)]: 'x' }],
  ['characters of several bytes', { body: '€'.repeat(34_000) }],
])('parts events of large %s', async (_, columns) => {
  const most = Math.max(...(await sizesOf(columns)))
  expect(most * 100_000).toBeLessThan(2 * MIB)
})
