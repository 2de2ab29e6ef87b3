// Rejected events are kept to be mended and sent again (decision 3.10), the way
// docs/guides/operate.md tells it.
import { expect, it } from 'vitest'
import { expectSuccess, post } from '../../support/clients/ingest-client.ts'
import { callSearch, makeWord, search, searchUntil } from '../../support/clients/product-client.ts'

it('rejected events are found with their reason, mended, sent again with a key and are there once', async () => {
  const word = makeWord('replay')
  const good = JSON.stringify({ message: `${word} good` })
  const broken = `{"message":"${word} broken"`
  const deep = `{"message":"${word} deep","d":${'['.repeat(40)}${']'.repeat(40)}}`
  const answer = await post([good, deep, broken].join('\n'))
  expect(answer).toMatchObject({ status: 200, body: { accepted: 1, rejected: 2 } })

  await searchUntil(2, { searchQuery: `${word} in log.System->rejected` })
  const rawOf = async (reason: string) => {
    const searchQuery = `${word} reason = ${reason} in log.System->rejected | display only raw`
    const fields = {
      searchQuery,
      fixedInterval: 'allData',
      resultFormat: 'json',
    }
    const answer = await callSearch(fields)
    return JSON.parse(await answer.text()).raw
  }
  expect(await rawOf('too_deep')).toBe(deep)
  expect(await rawOf('invalid_json')).toBe(broken)

  const mended = [
    `${await rawOf('invalid_json')}}`,
    (await rawOf('too_deep')).replace(/\[+\]+/, '0'),
  ]
  const again = { headers: { 'Idempotency-Key': word } }
  for (let time = 0; time < 2; time += 1) expectSuccess(await post(mended.join('\n'), again), 2)
  await searchUntil(3, { searchQuery: `${word} not in log.System->rejected` })
  const all = await search({
    searchQuery: `${word} not in log.System->rejected`,
    fixedInterval: 'allData',
  })
  expect(all.rows.map(({ message }) => message).sort()).toEqual(
    ['broken', 'deep', 'good'].map((name) => `${word} ${name}`),
  )
})
