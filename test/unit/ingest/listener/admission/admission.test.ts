// Who may come in, and for how much room, without HTTP.
import { describe, expect, it } from 'vitest'
import { makeLogger } from '../../../../../infra/logger.ts'
import { Admission } from '../../../../../ingest/listener/admission/admission.ts'
import {
  BytesInFlight,
  REQUEST_OVERHEAD_BYTES,
} from '../../../../../ingest/listener/admission/bytes-in-flight.ts'
import { makeAccount } from '../../../../support/ingest/split-event.ts'
import { makeManualClock } from '../../../../support/run/manual-clock.ts'

const ROOM = 10_000

function start() {
  const clock = makeManualClock()
  const accounts = new Map([
    ['good', makeAccount({ id: 1 })],
    ['elsewhere', makeAccount({ id: 2, listeningNode: 'node-b' })],
  ])
  const diskReserve = { isReached: false }
  const inFlight = new BytesInFlight(ROOM)
  const admission = new Admission({
    metastore: { accountByToken: (token) => accounts.get(token), refresh: async () => undefined },
    clock,
    logger: makeLogger({ level: 'error', process: 'test', clock, write: () => undefined }),
    nodeName: 'node-a',
    maxBodyBytes: 5000,
    inFlight,
    diskReserve,
  })
  return { admission, diskReserve, inFlight }
}

describe('admission', () => {
  it('knows the account of a token, at the node that it is bound to', () => {
    const { admission } = start()
    expect(admission.findAccount('good')).toMatchObject({ id: 1 })
    expect(admission.findAccount('')).toBe('listener.token_missing')
    expect(admission.findAccount('wrong')).toBe('listener.token_invalid')
    expect(admission.findAccount('elsewhere')).toBe('listener.token_invalid')
  })

  it('says before a body comes why it need not', () => {
    const { admission, diskReserve, inFlight } = start()
    expect(admission.refusalOf(5000)).toBeUndefined()
    expect(admission.refusalOf(Number.NaN)).toBeUndefined()
    expect(admission.refusalOf(5001)).toBe('listener.body_too_large')
    inFlight.add(ROOM)
    expect(admission.refusalOf(Number.NaN)).toBe('listener.busy')
    diskReserve.isReached = true
    expect(admission.refusalOf(1)).toBe('listener.disk_reserve')
  })

  it('holds room for a request until it leaves, by the size that its body has', () => {
    const { admission, inFlight } = start()
    const stay = admission.enter(1000)
    if (stay === undefined) throw new Error('busy')
    expect(inFlight.bytes).toBe(1000 + REQUEST_OVERHEAD_BYTES)
    expect(admission.resize(stay, 3000)).toBe(true)
    expect(admission.enter(3000)).toBeUndefined()
    expect(admission.resize(stay, ROOM)).toBe(false)
    expect(inFlight.bytes).toBe(0)
    admission.leave(stay)
    expect(inFlight.bytes).toBe(0)
  })

  it('lets a request leave once', () => {
    const { admission, inFlight } = start()
    const stay = admission.enter(1000)
    if (stay === undefined) throw new Error('busy')
    expect([admission.leave(stay), admission.leave(stay)]).toEqual([true, false])
    expect(inFlight.bytes).toBe(0)
  })

  it('stops when the last one has left, and takes nobody meanwhile', async () => {
    const { admission } = start()
    const stay = admission.enter(10)
    if (stay === undefined) throw new Error('busy')
    let isStopped = false
    const stopped = admission.stop(new AbortController().signal).then(() => {
      isStopped = true
    })
    expect(admission.refusalNow()).toBe('listener.busy')
    expect(admission.enter(10)).toBeUndefined()
    await Promise.resolve()
    expect(isStopped).toBe(false)
    admission.leave(stay)
    admission.noteLeft()
    await stopped
    await start().admission.stop(AbortSignal.abort())
  })
})
