// Servers that cannot be had here; those that can are in test/contract/database/postgres.test.ts.
import { describe, expect, it } from 'vitest'
import { parsePostgresAddress } from '../../../../../infra/database/postgres/address.ts'
import { findReason, toStartFailure } from '../../../../../infra/database/postgres/check-server.ts'
import { toPostgresFailure } from '../../../../../infra/database/postgres/failure.ts'
import { Failure } from '../../../../../schemas/failures.ts'

const address = parsePostgresAddress('postgres://u:secret@db.example/d')
const good = {
  version: '13.0',
  version_number: 130_000,
  is_standby: false,
  encoding: 'UTF8',
  schema: 'public',
  may_create: true,
  fsync: 'on',
}

const startLine = (error: unknown) => {
  const failure = toStartFailure(error, address)
  return failure instanceof Failure ? `${failure.code}: ${failure.message}` : failure
}
const coded = (fields: object) => toPostgresFailure(Object.assign(new Error('of secret'), fields))

describe('findReason', () => {
  it('has nothing against the oldest version that will do', () => {
    expect(findReason(good, address)).toBeUndefined()
  })

  it('refuses older versions, standbys, other encodings and what may not be written into', () => {
    const old = { ...good, version: '12.22', version_number: 120_022 }
    expect(findReason(old, address)).toBe(
      'it is PostgreSQL 12.22, 13 is the oldest version that works',
    )
    expect(findReason({ ...good, is_standby: true }, address)).toContain('a standby')
    expect(findReason({ ...good, encoding: 'LATIN1' }, address)).toContain('LATIN1')
    expect(findReason({ ...good, schema: null }, address)).toContain('no schema')
    expect(findReason({ ...good, may_create: false }, address)).toContain('may not make tables')
  })
})

describe('toStartFailure', () => {
  it('tells what stands on the way, and where, and no text of the server', () => {
    const where = 'database.unreachable: no database answers at db.example:5432/d:'
    const advice = ', check LOGEYE_DATABASE_URL'
    expect(startLine(coded({ code: 'ENOTFOUND' }))).toBe(
      `${where} the name db.example is not known${advice}`,
    )
    expect(startLine(coded({ code: '53300', severity: 'FATAL' }))).toBe(
      `${where} it has no connection left${advice}`,
    )
    expect(startLine(coded({ code: 'CERT_HAS_EXPIRED' }))).toBe(
      `${where} its certificate is not accepted (CERT_HAS_EXPIRED): see sslmode and sslrootcert${advice}`,
    )
    expect(startLine(coded({}))).toBe(
      `${where} no answer within 5 s, or no TLS there (sslmode=verify-full)${advice}`,
    )
    expect(startLine(coded({ code: '28000', severity: 'FATAL' }))).toMatch(
      /^database\.refused: .* pg_hba\.conf/,
    )
  })

  it('leaves what it does not know as it is', () => {
    const bug = new TypeError('x')
    expect(toStartFailure(bug, address)).toBe(bug)
    const newer = new Failure('database.newer')
    expect(toStartFailure(newer, address)).toBe(newer)
    const odd = coded({ code: '22012', severity: 'ERROR' })
    expect(toStartFailure(odd, address)).toBe(odd)
  })
})
