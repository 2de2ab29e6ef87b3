import { describe, expect, it } from 'vitest'
import { readCredentials } from '../../../../infra/access/credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const read = (address: string, authorization?: string) =>
  readCredentials({ parameters: new URLSearchParams(address), authorization })

describe('credentials of a request', () => {
  it.each<[string, string | undefined, [string, string] | undefined]>([
    ['autoLogin=true&username=a&password=b', undefined, ['a', 'b']],
    ['autoLogin=true&username=%C3%B6&password=%26%3D+x', undefined, ['ö', '&= x']],
    ['autoLogin=true&username=a&username=c&password=b', undefined, ['a', 'b']],
    ['autoLogin=true&username=a&password=b', basic('c:d'), ['a', 'b']],
    ['', basic('c:d'), ['c', 'd']],
    ['', basic('c:d:e:'), ['c', 'd:e:']],
    ['', basic('ö:ü'), ['ö', 'ü']],
    ['', `bAsIc   ${Buffer.from('c:d').toString('base64')}  `, ['c', 'd']],
    ['username=a&password=b', basic('c:d'), ['c', 'd']],
    // Credentials count only with autoLogin=true, to the letter.
    ['username=a&password=b', undefined, undefined],
    ['autoLogin=TRUE&username=a&password=b', undefined, undefined],
    ['autoLogin=true&username=a', undefined, undefined],
    ['autoLogin=true&password=b', basic('c:d'), undefined],
    ['', basic('no colon'), undefined],
    ['', 'Bearer abc', undefined],
    ['', 'Basic', undefined],
    ['', 'Basic ###', undefined],
    ['', '', undefined],
  ])('%s with %s', (address, authorization, expected) => {
    expect(read(address, authorization)).toEqual(
      expected && { name: expected[0], password: expected[1] },
    )
  })
})
