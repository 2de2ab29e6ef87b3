import { describe, expect, test } from 'vitest'
import {
  addStored,
  noteSequence,
  parseState,
  printState,
  type WriterState,
} from '../../../../ingest/writer/position-state.ts'

const INTENT = {
  number: Number.MAX_SAFE_INTEGER,
  from: { offset: Number.MAX_SAFE_INTEGER, index: 8_000_000 },
  to: { offset: Number.MAX_SAFE_INTEGER, index: 8_000_000 },
  isDead: false,
  maxLogId: 4_294_967_295,
  columnsPerLog: 10_000,
  timeZone: 'America/Argentina/ComodRivadavia',
  builtMs: 7_258_118_400_000,
}

function makeState(sequences: ReadonlyMap<string, number>): WriterState {
  return {
    id: '0123456789ab',
    number: Number.MAX_SAFE_INTEGER,
    index: 8_000_000,
    sequences,
    intent: INTENT,
    stored: {
      events: Number.MAX_SAFE_INTEGER,
      atMs: 7_258_118_400_000,
      keys: new Map([20_000, 20_001, 20_002].map((day) => [day, 1e15])),
    },
  }
}

describe('what is kept with the position', () => {
  test('comes back as it was', () => {
    const state = makeState(new Map([['a', 1]]))
    expect(parseState(printState(state))).toEqual(state)
    const idle = { ...state, intent: undefined }
    expect(parseState(printState(idle))).toEqual(idle)
  })

  test('is read as data format 1 wrote it, which knew no totals', () => {
    const { stored: _, ...state } = makeState(new Map([['a', 1]]))
    const text = printState({ ...state, stored: undefined })
    expect(JSON.parse(text)).toMatchObject({ version: 2 })
    const older = text.replace('"version":2', '"version":1')
    expect(parseState(older)).toEqual({ ...state, stored: undefined })
  })

  test('counts what is committed, and the keys of the last days', () => {
    const key = (day: number) => ({ receivedMs: day * 86_400_000 + 5 })
    const empty = { events: 7, atMs: 1, keys: new Map() }
    const one = addStored(empty, { rows: 3, keys: [key(10), key(10), key(11)] }, 2)
    expect(one).toEqual({
      events: 10,
      atMs: 2,
      keys: new Map([
        [10, 2],
        [11, 1],
      ]),
    })
    const two = addStored(one, { rows: 1, keys: [key(13)] }, 3)
    expect(two.keys).toEqual(
      new Map([
        [11, 1],
        [13, 1],
      ]),
    )
    expect(addStored(two, { rows: 1, keys: [] }, 4).keys).toEqual(two.keys)
  })

  test('is nothing in a new log', () => {
    expect(parseState('')).toBeUndefined()
  })

  test.each([16, 36, 300])('stays below 4 KiB with many listeners of %d characters', (length) => {
    const sequences = new Map<string, number>()
    for (let i = 0; i < 500; i += 1) {
      noteSequence(sequences, String(i).padStart(length, 'x'), Number.MAX_SAFE_INTEGER)
    }
    expect(Buffer.byteLength(printState(makeState(sequences)))).toBeLessThanOrEqual(4096)
    expect(sequences.has('499'.padStart(length, 'x'))).toBe(true)
  })

  test('forgets the listener that was used longest ago', () => {
    const sequences = new Map<string, number>()
    for (let i = 0; i < 64; i += 1) noteSequence(sequences, `l${i}`, 1)
    noteSequence(sequences, 'l0', 2)
    noteSequence(sequences, 'new', 1)
    expect([sequences.get('l0'), sequences.has('l1'), sequences.size]).toEqual([2, false, 64])
  })
})
