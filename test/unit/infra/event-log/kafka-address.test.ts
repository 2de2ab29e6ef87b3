import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseKafkaAddress } from '../../../../infra/event-log/kafka/address.ts'
import { isFailure } from '../../../../schemas/failures.ts'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-pem-'))
const file = join(directory, 'a.pem')
writeFileSync(file, 'PEM')
afterAll(() => rmSync(directory, { recursive: true }))

describe('the address of Kafka', () => {
  it.each([
    ['kafka://a', { brokers: ['a:9092'], topic: 'logeye', group: 'logeye-writer', partitions: 4 }],
    [
      'kafka://a:1,b-2.example.org:2,10.0.0.3/events',
      {
        brokers: ['a:1', 'b-2.example.org:2', '10.0.0.3:9092'],
        topic: 'events',
        group: 'events-writer',
        partitions: 4,
      },
    ],
    [
      'kafka://a/?partitions=12&replication=2&group=g',
      {
        ...{ brokers: ['a:9092'], topic: 'logeye', group: 'g', replication: 2 },
        ...{ partitions: 12, leastPartitions: 12 },
      },
    ],
    [
      'kafka://me:p%40s%3As%2Fx@a/t',
      { sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'p@s:s/x' } },
    ],
    ['kafka://me:a:b@c?sasl=plain', { sasl: { mechanism: 'plain', password: 'a:b' } }],
    ['kafka://a?tls=true', { tls: {} }],
    [`kafka://a?caFile=${file}`, { tls: { ca: 'PEM' } }],
    [
      `kafka://a?certFile=${file}&keyFile=${encodeURIComponent(file)}`,
      { tls: { cert: 'PEM', key: 'PEM' } },
    ],
  ])('%s', (url, expected) => {
    expect(parseKafkaAddress(url)).toMatchObject(expected)
  })

  it('has neither user nor TLS unless they are named', () => {
    expect(Object.keys(parseKafkaAddress('kafka://a')).sort()).toEqual([
      'brokers',
      'group',
      'partitions',
      'topic',
    ])
  })

  it.each([
    ['http://a:9092', 'not kafka://'],
    ['kafka://', 'not kafka://'],
    ['kafka://a:0', 'not host:port'],
    ['kafka://a:70000', 'not host:port'],
    ['kafka://a,,b', 'not host:port'],
    ['kafka://[::1]:9092', 'host name or IPv4'],
    ['kafka://a/to pic', 'topic may hold'],
    ['kafka://a/t/u', 'not kafka://'],
    ['kafka://a?group=%20', 'group may hold'],
    ['kafka://a?partition=3', 'an option is not one of'],
    ['kafka://a?tls=true&tls=true', 'twice'],
    ['kafka://a?partitions=0', 'partitions must be a number'],
    ['kafka://a?partitions=1e3', 'partitions must be a number'],
    ['kafka://a?sasl=plain', 'needs user:password@'],
    ['kafka://u:p@a?sasl=md5', 'sasl is not one of'],
    ['kafka://user@a', 'user:password@'],
    ['kafka://u:100%@a', '%25'],
    ['kafka://a?tls=yes', 'true or false'],
    [`kafka://a?tls=false&caFile=${file}`, 'need tls=true'],
    [`kafka://a?certFile=${file}`, 'go together'],
    ['kafka://a?caFile=/not/there', 'cannot be read'],
  ])('is refused: %s', (url, reason) => {
    expect(() => parseKafkaAddress(url)).toThrow(reason)
  })

  it('never quotes what may be a secret', () => {
    for (const url of ['kafka://u:secret@', 'kafka://u:secret@a?x=secret', 'kafka://secret%@a']) {
      try {
        parseKafkaAddress(url)
        expect.unreachable()
      } catch (error) {
        expect(isFailure(error) && error.code).toBe('event_log.bad_url')
        expect(String(error)).not.toContain('secret')
      }
    }
  })
})
