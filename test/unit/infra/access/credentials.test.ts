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
    const kind = expected && address.includes('autoLogin=true') ? 'parameters' : 'basic'
    const [name, password] = expected ?? []
    expect(read(address, authorization)).toEqual(
      expected && { kind, credentials: { name, password } },
    )
  })

  it.each<[string, string | undefined, string | undefined, string | undefined]>([
    ['', 'Bearer tok_abc', undefined, 'token tok_abc'],
    ['', 'bearer   tok_abc ', undefined, 'token tok_abc'],
    ['apiToken=x', undefined, undefined, 'token x'],
    ['apiToken=x&apiToken=y', undefined, undefined, 'token x'],
    ['apiToken=x', 'Bearer tok_abc', undefined, 'token tok_abc'],
    // Who gives a token is judged by it alone.
    ['apiToken=x&autoLogin=true&username=a&password=b', basic('c:d'), undefined, 'token x'],
    // A bearer of a proxy is not looked at.
    ['apiToken=x', 'Bearer eyJ.x.y', undefined, 'token x'],
    ['', 'Bearer eyJ.x.y', 'logeye_session=ses_1', 'session ses_1'],
    ['', undefined, 'a=b; logeye_session=ses_1; logeye_session=ses_2', 'session ses_1'],
    ['', undefined, 'xlogeye_session=ses_1', undefined],
    ['', basic('c:d'), 'logeye_session=ses_1', 'basic c'],
  ])('%s with %s and the cookie %s', (address, authorization, cookie, expected) => {
    const parameters = new URLSearchParams(address)
    const brought = readCredentials({ parameters, authorization, cookie })
    const told = brought && {
      ...{ token: '', secret: '', credentials: { name: '' } },
      ...brought,
    }
    const what = told && (told.token || told.secret || told.credentials.name)
    expect(told && `${told.kind} ${what}`).toBe(expected)
  })
})
