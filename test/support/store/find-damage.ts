// What the ledger finds damaged in a store, without an event log to compare with.
import type { Store } from '../../../infra/store/port.ts'
import { look } from '../../../ingest/ledger/look.ts'
import { UnitReader } from '../../../ingest/ledger/unit-sums.ts'
import { testClock } from '../run/test-clock.ts'

export async function findDamage(store: Store): Promise<readonly unknown[]> {
  const { signal } = new AbortController()
  const reader = new UnitReader(store, signal)
  const eventLog = { partitions: 0, position: () => Promise.reject(new Error('none')) }
  return (await look({ reader, eventLog, clock: testClock, signal })).found
}
