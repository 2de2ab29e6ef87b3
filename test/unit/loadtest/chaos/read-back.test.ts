// The judge of the campaigns is judged: each thing that can be wrong is planted and found, and
// nothing else is.
import { describe, expect, it } from 'vitest'
import { compareLedgers, readLedger } from '../../../../loadtest/chaos/campaign/ledger.ts'
import {
  bodyText,
  eventText,
  numberIn,
} from '../../../../loadtest/chaos/campaign/numbered-events.ts'
import { compare } from '../../../../loadtest/chaos/campaign/read-back.ts'

const ORDERED = { seed: 3, round: 2, sender: 4, events: 40 }
const UNORDERED = { ...ORDERED, sender: 5 }
const host = 'chaos2x4'
const textsOf = (sent: typeof ORDERED) =>
  Array.from({ length: sent.events }, (_, n) => eventText(sent, n))
const texts = textsOf(ORDERED)

describe('what is read back of a sender', () => {
  it('is right when each event is there once, in its order, to the byte', () => {
    expect(compare(texts, ORDERED)).toEqual([])
  })

  it('is wrong when one is missing, be it the last', () => {
    expect(compare(texts.toSpliced(7, 1), ORDERED)).toEqual([{ kind: 'lost', host, number: 7 }])
    expect(compare(texts.slice(0, -1), ORDERED)).toEqual([{ kind: 'lost', host, number: 39 }])
    expect(compare([], ORDERED)).toHaveLength(40)
  })

  it('is wrong when one is there twice, or three times', () => {
    const doubled = { kind: 'doubled', host, number: 7 }
    const text = eventText(ORDERED, 7)
    expect(compare(texts.toSpliced(7, 0, text), ORDERED)).toEqual([doubled])
    expect(compare(texts.toSpliced(7, 0, text, text), ORDERED)).toEqual([doubled, doubled])
  })

  it('is wrong when one is lost and another doubled, although the number is right', () => {
    const found = compare(texts.toSpliced(8, 1, eventText(ORDERED, 7)), ORDERED)
    expect(found.map((it) => it.kind).sort()).toEqual(['doubled', 'lost'])
  })

  it('is wrong when a byte differs', () => {
    const changed = texts.with(9, `${texts[9]} `)
    expect(compare(changed, ORDERED)).toEqual([{ kind: 'changed', host, number: 9 }])
  })

  it('is wrong when something was never sent', () => {
    const never = eventText(ORDERED, 40)
    expect(compare([...texts, never], ORDERED)).toMatchObject([{ kind: 'foreign', text: never }])
    expect(compare([...texts, 'noise'], ORDERED)).toMatchObject([{ kind: 'foreign' }])
  })

  it('is wrong in another order, where the sender gives the time itself', () => {
    const swapped = texts.with(5, texts[6] ?? '').with(6, texts[5] ?? '')
    expect(compare(swapped, ORDERED)).toMatchObject([{ kind: 'disordered', text: '5 behind 6' }])
    expect(compare(textsOf(UNORDERED).toReversed(), UNORDERED)).toEqual([])
  })
})

describe('numbered events', () => {
  it('are JSON of many forms, say their number, and are in their body as they are', () => {
    for (const [number, text] of texts.entries()) {
      expect(JSON.parse(text)).toMatchObject({ n: number, sender: 4, round: 2, campaign: 3 })
      expect(numberIn(text)).toBe(number)
    }
    expect(bodyText(ORDERED, 0, 5)).toBe(`[${texts.slice(0, 5).join(',')}]`)
    expect(bodyText(ORDERED, 0, 4)).toBe(texts.slice(0, 4).join('\n'))
  })
})

describe('what the processes counted', () => {
  const metrics = (received: number, stored: number, lag = 0, undecided = 0, uncounted = 0) => `
# TYPE logeye_listener_events_total counter
logeye_listener_events_total{state="received",process="front-1"} ${received - 3}
logeye_listener_events_total{state="received",process="front-2"} 3
logeye_listener_events_total{state="undecided",process="front-2"} ${undecided}
logeye_listener_events_total{state="accepted",process="front-2"} 999
logeye_writer_events_total{outcome="stored",process="work"} ${stored}
logeye_writer_undecided_events_total{process="work"} ${uncounted}
logeye_writer_events_total{outcome="repeated",process="work"} 4
logeye_writer_events_total{outcome="dropped",process="work"} 1
logeye_writer_events_total{outcome="rejected",process="work"} 2
logeye_writer_lag_blocks{partition="0",process="work"} ${lag}
logeye_listener_in_flight_bytes{process="front-1"} 0
`
  const before = readLedger(metrics(100, 93))

  it('is right when received grew by stored, rejected, repeated and dropped together', () => {
    expect(before).toEqual({
      received: 100,
      undecided: 0,
      stored: 93,
      uncounted: 0,
      rejected: 2,
      repeated: 4,
      dropped: 1,
      waiting: 0,
    })
    expect(compareLedgers(before, readLedger(metrics(150, 143)))).toBeUndefined()
  })

  it('cannot be known while the writer is too busy to say what waits for it', () => {
    const silent = metrics(100, 93).replaceAll(/^logeye_writer.*\n/gm, '')
    expect(() => readLedger(silent)).toThrow('the writer says nothing')
  })

  it('is wrong by one event, and while something is in flight', () => {
    expect(compareLedgers(before, readLedger(metrics(150, 142)))).toContain('stored 49')
    expect(compareLedgers(before, readLedger(metrics(150, 144)))).toContain('stored 51')
    expect(compareLedgers(before, readLedger(metrics(150, 143, 1)))).toContain('in flight 1')
  })

  it('may be more by what was answered 500 and stored all the same, and by no more', () => {
    expect(compareLedgers(before, readLedger(metrics(150, 146, 0, 3)))).toBeUndefined()
    expect(compareLedgers(before, readLedger(metrics(150, 147, 0, 3)))).toContain('undecided 3')
    expect(compareLedgers(before, readLedger(metrics(150, 142, 0, 3)))).toContain('stored 49')
  })

  it('may be less by what a writer was committing when it lost the partition, and by no more', () => {
    expect(compareLedgers(before, readLedger(metrics(150, 141, 0, 0, 2)))).toBeUndefined()
    expect(compareLedgers(before, readLedger(metrics(150, 140, 0, 0, 2)))).toContain('uncounted 2')
    expect(compareLedgers(before, readLedger(metrics(150, 144, 0, 0, 2)))).toContain('stored 51')
  })
})
