import { describe, expect, it } from 'vitest'
import { BytesInFlight } from '../../../../../ingest/listener/admission/bytes-in-flight.ts'
import { Reservations } from '../../../../../ingest/listener/admission/reservation.ts'

describe('reservation of a body', () => {
  it('counts the whole body from its start, however much of it has come', () => {
    const inFlight = new BytesInFlight(1000)
    const reservations = new Reservations(inFlight)
    const first = reservations.open(600, 0)
    expect(inFlight.bytes).toBe(600)
    expect(inFlight.hasRoom(500)).toBe(false)
    expect(first.take(64)).toBe(true)
    // The collector's buffer, doubled: more than the body, which still is all that is counted.
    expect(first.take(1000)).toBe(true)
    expect(inFlight.bytes).toBe(600)
    first.give(1064)
    reservations.end(first)
    reservations.end(first)
    expect(inFlight.bytes).toBe(0)
  })

  it('asks for what goes beyond the promise', () => {
    const inFlight = new BytesInFlight(1000)
    const reservations = new Reservations(inFlight)
    const first = reservations.open(100, 0)
    expect(first.take(900)).toBe(true)
    expect(inFlight.bytes).toBe(900)
    expect(first.take(200)).toBe(false)
    first.give(900)
    reservations.end(first)
    expect(inFlight.bytes).toBe(0)
  })

  it('of a slow sender shrinks to what has come after 5 s, and then grows as bytes come', () => {
    const inFlight = new BytesInFlight(1000)
    const reservations = new Reservations(inFlight)
    const slow = reservations.open(900, 0)
    slow.take(100)
    reservations.open(50, 4000)
    reservations.shrinkSlow(4999)
    expect(inFlight.bytes).toBe(950)
    reservations.shrinkSlow(5000)
    expect(inFlight.bytes).toBe(150)
    expect(slow.take(300)).toBe(true)
    expect(inFlight.bytes).toBe(450)
    expect(slow.take(600)).toBe(false)
    slow.give(400)
    reservations.end(slow)
    expect(inFlight.bytes).toBe(50)
  })
})
