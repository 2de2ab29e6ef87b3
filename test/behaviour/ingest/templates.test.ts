// Templates from outside (decision 3.9, docs/decisions/0041): set up by the SDK, sent over HTTP,
// seen by a search.
import { describe, expect, it } from 'vitest'
import { type IngestAnswer, post } from '../../support/clients/ingest-client.ts'
import { makeWord, sdk, searchUntil, sendEvents } from '../../support/clients/product-client.ts'

/** Of `?debug=1`: the first event. */
function firstOf({ body }: IngestAnswer): Readonly<Record<string, unknown>> {
  return Object((Array.isArray(body?.events) ? body.events : [])[0])
}

describe('a template', () => {
  it('makes columns of the messages of its type, received from then on', async () => {
    const word = makeWord('type')
    const event = (message: string) => ({
      ...{ message, productName: word, productType: `${word} more`, b: 1, Took: 'json' },
    })
    await sendEvents([event('early 2024-05-01 10:00:00 took 7')])
    await searchUntil(1, { searchQuery: `* in type.${word}` })
    const made = await sdk('addTemplate', {
      name: word,
      logTypes: `${word},MORE,other`,
      patterns: 'never {number:N}@#@#{word:Word} {date:Day,yyyy-MM-dd HH:mm:ss} took {number:Took}',
    })
    expect(made).toMatchObject({ name: word, enabled: true, patterns: 2 })
    const late = event('late 2024-05-01 10:00:00 took 12')
    const said = firstOf(await post(JSON.stringify(late), { parameters: { debug: '1' } }))
    expect(said).toMatchObject({ template: word, pattern: 2, time: '2024-05-01T10:00:00.000Z' })
    expect(said.columns).toEqual({ b: '1', Word: 'late', Took: '12' })
    const other = event('nothing of it')
    const nothing = firstOf(await post(JSON.stringify(other), { parameters: { debug: '1' } }))
    expect(nothing).toMatchObject({ template: word, pattern: 0, columns: { Took: 'json', b: '1' } })

    await sendEvents([late, other])
    const searchQuery = `* in type.${word} | display only message, Word, Took, b`
    const found = await searchUntil(3, { searchQuery })
    const shown = found.rows.map(({ message, Word, Took, b }) => [message, Word, Took, b])
    expect(shown.sort()).toEqual([
      ['early 2024-05-01 10:00:00 took 7', '', 'json', '1'],
      ['late 2024-05-01 10:00:00 took 12', 'late', '12', '1'],
      ['nothing of it', '', 'json', '1'],
    ])
    await searchUntil(1, { searchQuery: `Took = 12 in type.${word}` })

    await sdk('addTemplate', { name: word.toUpperCase(), update: 'true', enabled: 'false' })
    await sendEvents([late])
    await searchUntil(4, { searchQuery })
    await searchUntil(1, { searchQuery: `Took = 12 in type.${word}` })
  })

  it('is not needed for a log to be found by each type that its events name', async () => {
    const word = makeWord('types')
    const event = (type: string) => ({ message: type, productName: word, productType: type })
    await sendEvents([event(`${word}1`)])
    await searchUntil(1, { searchQuery: `* in type.${word}1` })
    await sendEvents([event(`${word}2`)])
    for (const type of ['1', '2']) {
      const { rows } = await searchUntil(2, { searchQuery: `* in type.${word}${type}` })
      expect(rows.map(({ message }) => message).sort()).toEqual([`${word}1`, `${word}2`])
    }
  })
})
