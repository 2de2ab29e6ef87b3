// Many calls with passwords: every call is answered right, and a password is not hashed slowly for
// each. The rate is measured by loadtest/search-rate.ts.
import { expect, it } from 'vitest'
import {
  type Fields,
  makeWord,
  productUrl,
  search,
  searchUntil,
  sendEvents,
} from '../../support/clients/product-client.ts'
import { series } from '../../support/run/tier.ts'

const CALLS = series(100, 400)
const CALLERS = 16

it.each<[string, (word: string) => Fields]>([
  [
    'searches that find one event',
    (word) => ({ searchQuery: word, fixedInterval: 'last15Minutes' }),
  ],
  [
    'calls that fail at a parameter, behind the sign-in',
    (word) => ({ searchQuery: word, timeout: 'x' }),
  ],
])('%s with passwords are all answered, many at once', async (_, fieldsOf) => {
  const word = makeWord('rate')
  await sendEvents({ message: word })
  await searchUntil(1, { searchQuery: word })
  const fields = fieldsOf(word)
  const expected = fields.timeout === undefined ? { state: 'OK', numberOfResults: 1 } : { code: 1 }
  const hashesBefore = await passwordHashes()
  let asked = 0
  const call = async () => {
    while (asked < CALLS) {
      asked += 1
      expect(await search(fields)).toMatchObject({ httpStatus: 200, ...expected })
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  expect(asked).toBe(CALLS)
  expect((await passwordHashes()) - hashesBefore).toBeLessThan(CALLERS)
})

async function passwordHashes(): Promise<number> {
  const text = await (await fetch(`${productUrl()}/metrics`)).text()
  const counts = [...text.matchAll(/^logeye_password_hashes_total(?:\{[^}]*\})? (\d+)/gm)]
  expect(counts.length).toBeGreaterThan(0)
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
