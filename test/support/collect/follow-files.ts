// The files of one log, read as the collector reads them, without a database and an event log: the
// numbers in their lines, in the order in which they were read. Lines: `line 000001 …`.
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import { LogFiles } from '../../../ingest/collect/log-files.ts'
import { type LogWork, takePiece } from '../../../ingest/collect/log-work.ts'
import type { PathPattern } from '../../../ingest/collect/path-pattern.ts'
import type { FileSource } from '../../../ingest/collect/sources/file-source.ts'
import { makeAccount } from '../ingest/split-event.ts'

/** `beforeId`: called when a file is about to be known. */
export function followFiles(
  source: FileSource,
  patterns: readonly PathPattern[],
  beforeId = () => {},
) {
  const clock = { nowMs: 1_000_000 }
  let ids = 0
  const files = new LogFiles({
    ...{ logId: 1, source },
    ...{ elapsedMs: () => clock.nowMs, nowMs: () => clock.nowMs },
    takeId: async () => {
      beforeId()
      ids += 1
      return ids
    },
  })
  const work: LogWork = {
    ...{ logId: 1, files, tree: source, isResuming: false, templates: 0, account: makeAccount() },
    source: {
      ...{ folder: [], name: 'far', policyId: 1, patterns: [], template: '' },
      ...{ timeZone: null, charSet: null, filter: '' },
    },
    ...{ keeps: undefined, filterFault: '', sourceFault: '', patterns, faults: [] },
  }
  const read: number[] = []
  const take = async () => {
    if (files.isSettling) return
    for (const tail of files.tails) {
      const given = { nowMs: clock.nowMs, mostBytes: 1024 * 1024 }
      const { piece, isMore } = await takePiece(work, tail, given)
      if (piece !== undefined) {
        const lines = piece.bytes.toString().trimEnd().split('\n')
        read.push(...lines.map((line) => Number(line.slice(5, 11))))
        await tail.advance(piece.bytes)
      }
      if (isMore) return
    }
  }
  return {
    ...{ files, read, take },
    look: async () => {
      clock.nowMs += 2000
      await files.scan(patterns).catch((error: unknown) => {
        if (!(error instanceof RemoteFault)) throw error
      })
      await take()
      await take()
    },
  }
}
