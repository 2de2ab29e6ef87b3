import { describe, expect, it } from 'vitest'
import {
  isPostgresUrl,
  parsePostgresAddress,
} from '../../../../../infra/database/postgres/address.ts'
import { SecretUrl } from '../../../../../infra/secret-url.ts'

describe('parsePostgresAddress', () => {
  it('reads the parts, with special characters', () => {
    const url = 'postgresql://log%40eye:p%2Fa%3Ass@db.example:6543/log%20eye?schema=s&connections=9'
    expect(parsePostgresAddress(url)).toEqual({
      host: 'db.example',
      port: 6543,
      database: 'log eye',
      user: 'log@eye',
      password: 'p/a:ss',
      schema: 's',
      sslMode: 'verify-full',
      tls: {},
      connections: 9,
    })
  })

  it.each([
    ['postgres://u:p@localhost/d', 'localhost', 'disable'],
    ['postgres://u:p@127.0.0.1/d', '127.0.0.1', 'disable'],
    ['postgres://u:p@[::1]/d', '::1', 'disable'],
    ['postgres://u@/d?host=/var/run/postgresql', '/var/run/postgresql', 'disable'],
    ['postgres://u:p@10.0.0.7/d', '10.0.0.7', 'verify-full'],
    ['postgres://u:p@localhost.example/d', 'localhost.example', 'verify-full'],
    ['postgres://u:p@db/d?sslmode=disable', 'db', 'disable'],
    ['postgres://u:p@db/d?sslmode=require', 'db', 'require'],
  ])('encrypts what leaves the machine: %s', (url, host, sslMode) => {
    expect(parsePostgresAddress(url)).toMatchObject({ host, sslMode, port: 5432 })
  })

  it.each([
    ['postgres://', 'no host'],
    ['postgres://u:secret@h', 'one database'],
    ['postgres://u:secret@h/a/b', 'one database'],
    ['postgres://h/d', 'user and password'],
    ['postgres://u:secret@/d', 'no host'],
    ['postgres://u:secret@h:99999/d', 'it is not postgres://'],
    ['postgres://u:sec/ret@h/d', 'it is not postgres://'],
    ['postgres://u:secret@a:1,b:2/d', 'one server'],
    ['postgres://u:se%cret@h/d', '%25'],
    ['postgres://u:secret@h/d?sslmode=prefer', 'sslmode is not one of'],
    ['postgres://u:secret@h/d?sslmod=require', 'an option is not one of'],
    ['postgres://u:secret@h/d?schema=a&schema=b', 'twice'],
    ['postgres://u:secret@h/d?schema=', 'no value'],
    ['postgres://u:secret@h/d?connections=1', '2 to 100'],
    ['postgres://u:secret@h/d?sslcert=x', 'go together'],
    ['postgres://u:secret@h/d?sslmode=disable&sslrootcert=x', 'need an sslmode'],
    ['postgres://u:secret@h/d?sslrootcert=/nowhere', 'cannot be read'],
    ['postgres://u:secret@h/d?host=/run', 'folder of a socket'],
  ])('refuses %s', (url, reason) => {
    const parse = () => parsePostgresAddress(url)
    expect(parse).toThrow(expect.objectContaining({ code: 'database.bad_url' }))
    expect(parse).toThrow(reason)
    expect(parse).not.toThrow(/secret|sec\/ret/)
  })

  it('is asked for its own addresses only', () => {
    expect(['postgres://h', 'postgresql://h'].map(isPostgresUrl)).toEqual([true, true])
    expect(['mysql://h', 'postgres', 'http://postgres://h'].map(isPostgresUrl)).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('an address of a database', () => {
  it.each([
    ['postgres://u:secret@h/d?sslmode=require', 'postgres://u:***@h/d?sslmode=require'],
    ['postgres://u:se/cr?et@h/d', 'postgres://u:***@h/d'],
    ['postgres://u:sec@r/et@h/d', 'postgres://u:***@h/d'],
    ['postgres:/u:secret@h/d', 'postgres:/u:***@h/d'],
    ['postgres:u:secret@h/d', 'postgres:u:***@h/d'],
    ['postgres://u@h/d', 'postgres://u@h/d'],
  ])('is printed without its secret, also when it is wrong: %s', (url, printed) => {
    expect(String(new SecretUrl(url))).toBe(printed)
  })
})
