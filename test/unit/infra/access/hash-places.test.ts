import { describe, expect, it } from 'vitest'
import { HashPlaces, type SignInSource } from '../../../../infra/access/hash-places.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

const LATER_MS = 16 * 60_000

function openPlaces(clock = makeManualClock(), known: readonly SignInSource[] = []) {
  return new HashPlaces(clock, async () => known)
}

/** Takes and keeps a place, or waits for one, or is refused; what became of it once all that is
 *  ready has run. */
async function enter(places: HashPlaces, name: string, address: string) {
  let outcome = 'waits'
  void places.enter(name, address).then(
    () => {
      outcome = 'runs'
    },
    (error: Error & { code?: string }) => {
      outcome = error.code ?? 'unknown'
    },
  )
  await new Promise((resolve) => setImmediate(resolve))
  return outcome
}

async function fill(
  places: HashPlaces,
  addressOf: (at: number) => string,
  nameOf = (at: number) => String(at),
) {
  for (let at = 0; at < 1000; at += 1)
    if ((await enter(places, nameOf(at), addressOf(at))) === 'sign_in.busy') return at
  return 1000
}

const address = (at: number) => `10.0.${at >> 8}.${at & 255}`

describe('places for password hashes', () => {
  it('has room for 400 that wait from untouched addresses, and then says so', async () => {
    expect(await fill(openPlaces(), address)).toBe(402)
  })

  it('gives the room of who has gone to others', async () => {
    const places = openPlaces()
    const gone = new AbortController()
    const left = Array.from({ length: 402 }, (_, at) =>
      places.enter(String(at), address(at), gone.signal),
    )
    expect(await enter(places, 'reader', '10.9.9.9')).toBe('sign_in.busy')
    gone.abort(new Error('gone'))
    const ends = await Promise.allSettled(left)
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(400)
    expect(await enter(places, 'reader', '10.9.9.9')).toBe('waits')
  })

  it('is never filled by addresses that failed: an untouched one runs at once', async () => {
    const places = openPlaces()
    for (let at = 0; at < 1000; at += 1) places.fail(`nobody ${at}`, address(at))
    expect(await fill(places, address)).toBe(101)
    expect(await enter(places, 'reader', '10.9.9.9')).toBe('runs')
  })

  it('is never filled by guesses of one name from untouched addresses', async () => {
    const places = openPlaces()
    places.fail('admin', '10.9.0.1')
    expect(await fill(places, address, () => 'Admin')).toBe(201)
    expect(await enter(places, 'reader', '10.9.9.9')).toBe('runs')
  })

  it('counts all spellings by which a user is found as one name', async () => {
    const places = openPlaces()
    places.fail('Zoe\u0308', '10.9.0.1')
    const names = ['zoë', ' ZOË', 'zoë\t', ' Zoe\u0308 ']
    expect(await fill(places, address, (at) => names[at % names.length] ?? '')).toBe(201)
    places.succeed(' ZOË ', '10.7.7.7')
    expect(await enter(places, 'zoë', '10.8.8.8')).toBe('runs')
  })

  it('forgets what a name failed with its right password, and what an address failed in time', async () => {
    const clock = makeManualClock()
    const places = openPlaces(clock)
    places.fail('reader', '10.9.9.9')
    await fill(places, address, () => 'reader')
    expect(await enter(places, 'reader', '10.8.8.8')).toBe('sign_in.busy')
    places.succeed('Reader', '10.7.7.7')
    expect(await enter(places, 'reader', '10.8.8.8')).toBe('runs')
    clock.advance(LATER_MS)
    expect(await enter(places, 'other', '10.9.9.9')).toBe('runs')
  })

  it('has slots for a name at the network that it signed in from, whatever guesses', async () => {
    const places = openPlaces(makeManualClock(), [{ name: 'Reader', address: '2001:db8:1:2::7' }])
    places.succeed('writer', '10.9.9.9')
    // From the same network, and at the same name.
    places.fail('reader', '2001:db8:1:2::9')
    places.fail('writer', '10.9.9.9')
    expect(await fill(places, address)).toBe(402)
    expect(await fill(places, () => '10.9.9.9')).toBe(101)
    expect(await enter(places, 'reader', '2001:db8:1:2::8')).toBe('runs')
    expect(await enter(places, 'writer', '10.9.9.9')).toBe('runs')
    expect(await enter(places, 'reader', '10.8.8.8')).toBe('runs')
    expect(await enter(places, 'stranger', '10.8.8.7')).toBe('sign_in.busy')
  })

  it('knows a source for 30 days', async () => {
    const clock = makeManualClock()
    const places = openPlaces(clock)
    const urgencyOf = async () => {
      const { leave, urgency } = await places.enter('reader', '10.9.9.9')
      leave()
      return urgency
    }
    expect(await urgencyOf()).toBe('usual')
    places.succeed('reader', '10.9.9.9')
    clock.advance(29 * 24 * 3_600_000)
    expect(await urgencyOf()).toBe('first')
    clock.advance(2 * 24 * 3_600_000)
    expect(await urgencyOf()).toBe('usual')
  })

  it('reads the known sources again when the database did not answer', async () => {
    let reads = 0
    const places = new HashPlaces(makeManualClock(), async () => {
      reads += 1
      if (reads === 1) throw new Error('away')
      return [{ name: 'reader', address: '10.9.9.9' }]
    })
    const enterAs = async () => (await places.enter('reader', '10.9.9.9')).urgency
    expect([await enterAs(), await enterAs()]).toEqual(['usual', 'first'])
  })
})
