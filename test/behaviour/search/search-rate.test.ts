// Many calls with passwords (200 a second; loadtest/search-rate.ts measures it). Here the rate is
// only printed: machines differ. Asserted is that every call is answered right, and that a password
// is not hashed slowly for each.
import { expect, it } from 'vitest'
import {
  type Fields,
  makeWord,
  productUrl,
  search,
  searchUntil,
  sendEvents,
} from '../../support/clients/product-client.ts'

const SECONDS = 5
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
])('%s with passwords for 5 s are all answered', async (name, fieldsOf) => {
  const word = makeWord('rate')
  await sendEvents({ message: word })
  await searchUntil(1, { searchQuery: word })
  const fields = fieldsOf(word)
  const expected = fields.timeout === undefined ? { state: 'OK', numberOfResults: 1 } : { code: 1 }
  const hashesBefore = await passwordHashes()
  const endMs = performance.now() + SECONDS * 1000
  let answered = 0
  const call = async () => {
    while (performance.now() < endMs) {
      expect(await search(fields)).toMatchObject({ httpStatus: 200, ...expected })
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  console.log(`${name}: ${(answered / SECONDS).toFixed(0)} a second`)
  expect(answered).toBeGreaterThan(CALLERS)
  expect((await passwordHashes()) - hashesBefore).toBeLessThan(CALLERS)
})

async function passwordHashes(): Promise<number> {
  const text = await (await fetch(`${productUrl()}/metrics`)).text()
  const counts = [...text.matchAll(/^logeye_password_hashes_total(?:\{[^}]*\})? (\d+)/gm)]
  expect(counts.length).toBeGreaterThan(0)
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
