// On what the contract suites run here. A variant that is absent is said once, with its reason,
// instead of as a skipped copy of each test.
import { describe, expect } from 'vitest'
import { findDatabaseTests } from '../../support/database/database-tests.ts'
import { postgresMissing } from '../../support/database/postgres-server.ts'
import { eventLogAdapters } from '../../support/event-log/event-log-adapters.ts'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { itUnless } from '../../support/run/skip.ts'
import { ALL_STORE_VARIANTS, STORE_VARIANTS } from '../../support/store/store-variants.ts'

describe('the contract suites run', () => {
  for (const { name, absent } of ALL_STORE_VARIANTS)
    itUnless(absent, `on the store: ${name}`, () => {
      expect(STORE_VARIANTS.map((it) => it.name)).toContain(name)
    })

  itUnless(kafkaMissing(), 'on the event log: Kafka', () => {
    expect(eventLogAdapters.map(({ name }) => name)).toContain('kafka')
  })

  const isGiven = process.env.LOGEYE_TEST_POSTGRES !== undefined
  itUnless(isGiven ? undefined : postgresMissing(), 'on the database: PostgreSQL', () => {
    expect(findDatabaseTests('test/contract').length).toBeGreaterThan(20)
  })
})
