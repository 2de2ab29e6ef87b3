import { describe, expect, it } from 'vitest'
import { leastNumber } from '../../../../infra/cli/adopt-topic.ts'
import { PLACES_OF_A_LOG } from '../../../../infra/event-log/places.ts'
import { checkNumber } from '../../../../ingest/writer/start.ts'

const none = { committed: undefined, stored: undefined, known: undefined }

describe('the number of a topic that is adopted', () => {
  it.each([
    ['that of its commits', { ...none, committed: 2 * PLACES_OF_A_LOG + 7, stored: 1 }, 2],
    ['the first, of commits of the first', { ...none, committed: 7, known: 3 }, 0],
    ['above what the store has', { ...none, stored: 2 * PLACES_OF_A_LOG + 7 }, 3],
    ['the first beside an empty store', { ...none, stored: 0 }, 0],
    ['above what is known where no store answers', { ...none, known: 4 }, 5],
    ['never the first where nothing is known', none, 1],
  ])('is at least %s', (_, given, expected) => {
    expect(leastNumber(given)).toBe(expected)
  })

  it('stops a writer when it is lower than that of the intents', () => {
    const unknown = 'it is number 0, it was 2'
    expect(() => checkNumber(5, 2 * PLACES_OF_A_LOG + 7)).toThrow(unknown)
    expect(() => checkNumber(5, 7)).not.toThrow()
    expect(() => checkNumber(2 * PLACES_OF_A_LOG, 7)).not.toThrow()
  })
})
