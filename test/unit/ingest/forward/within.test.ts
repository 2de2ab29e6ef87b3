// A limit of time over work that does not look at its signal.
import { expect, it } from 'vitest'
import { within } from '../../../../ingest/forward/within.ts'
import { usedBytes } from '../../../support/machine/used-bytes.ts'

const never = () => new Promise<never>(() => undefined)

it('gives what the work gives', async () => {
  await expect(within({ ms: 60_000 }, async () => 'done')).resolves.toBe('done')
  const failing = within({ ms: 60_000 }, () => Promise.reject(new Error('refused')))
  await expect(failing).rejects.toThrow('refused')
})

it('ends with its signal, for its reason, and ends that of the work', async () => {
  const stopping = new AbortController()
  const seen: AbortSignal[] = []
  const working = within({ ms: 60_000, signal: stopping.signal }, (signal) => {
    seen.push(signal)
    return never()
  })
  stopping.abort(new Error('stopped'))
  await expect(working).rejects.toThrow('stopped')
  expect(seen.map(({ aborted }) => aborted)).toEqual([true])
  const begun = within({ ms: 60_000, signal: stopping.signal }, async () => 'begun')
  await expect(begun).rejects.toThrow('stopped')
})

it('ends by its time, though nothing else holds its signals', async () => {
  const { signal } = new AbortController()
  let ended: unknown
  void within({ ms: 300, signal }, never).catch((error: unknown) => {
    ended = error
  })
  // Each looks for what may go.
  for (let turn = 0; turn < 40 && ended === undefined; turn += 1) await usedBytes()
  expect(ended).toMatchObject({ name: 'TimeoutError' })
})
