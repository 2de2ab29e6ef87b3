// Every adapter of the event log, for the contract suite: how to open it on an empty place of its own, and again after a crash.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../infra/clock.ts'
import { openEventLog } from '../../infra/event-log/open.ts'
import type { EventLog } from '../../infra/event-log/port.ts'

export type EventLogPlace = {
  open(options?: { maxBytes?: number; maxBlockBytes?: number }): Promise<EventLog>
  remove(): void
  /** Arguments for event-log-appender.ts, a process of its own that opens the same log. */
  readonly appenderArguments: readonly string[]
}

export type EventLogAdapter = { readonly name: string; makePlace(): EventLogPlace }

export const eventLogAdapters: readonly EventLogAdapter[] = [
  {
    name: 'lmdb',
    makePlace() {
      const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-event-log-'))
      return {
        open: (options = {}) =>
          openEventLog({
            dataDir,
            maxBytes: 256 << 20,
            maxBlockBytes: 16 << 20,
            clock: systemClock,
            ...options,
          }),
        remove: () => rmSync(dataDir, { recursive: true, force: true }),
        appenderArguments: [dataDir],
      }
    },
  },
]
