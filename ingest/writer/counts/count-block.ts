// Native block of the table `counts`. Every row carries the number of its intent as `upto`: so the
// counters of a month and the batch that they include become visible together (decision 0003).
import { COUNT_COLUMNS } from '../../../schemas/store/tables.ts'
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import type { LogCount } from '../batch/batch.ts'
import { Uint16Column, Uint32Column, Uint64Column } from '../native/fixed-column.ts'
import { LowCardinalityColumn } from '../native/low-cardinality-column.ts'
import { writeNativeBlock } from '../native/native-block.ts'
import { QUARTER_MS } from './count-sums.ts'

const QUARTER_SECONDS = QUARTER_MS / 1000

export function writeCountBlock(
  counts: readonly LogCount[],
  { partition, upto }: { partition: number; upto: number },
): Uint8Array {
  const policies = new Uint16Column()
  const quarters = new Uint32Column()
  const eventQuarters = new Uint32Column()
  const logIds = new Uint32Column()
  const hosts = new LowCardinalityColumn()
  const sources = new LowCardinalityColumn()
  const partitions = new Uint16Column()
  const events = new Uint64Column()
  const bytes = new Uint64Column()
  const uptos = new Uint64Column()
  for (const count of counts) {
    policies.append(count.policyId)
    quarters.append(count.quarter * QUARTER_SECONDS)
    eventQuarters.append(count.eventQuarter * QUARTER_SECONDS)
    logIds.append(count.logId)
    hosts.append(count.host)
    sources.append(count.source)
    partitions.append(partition)
    events.append(count.events)
    bytes.append(count.bytes)
    uptos.append(upto)
  }
  const writers = {
    policy: policies,
    quarter: quarters,
    event_quarter: eventQuarters,
    log_id: logIds,
    host: hosts,
    source: sources,
    partition: partitions,
    events,
    bytes,
    upto: uptos,
  }
  const out = new ByteBuffer()
  writeNativeBlock(
    out,
    counts.length,
    COUNT_COLUMNS.map(({ name, type }) => ({ name, type, write: (o) => writers[name].write(o) })),
  )
  return out.bytes.subarray(0, out.length)
}

/** Month (UTC) of the quarter of receipt as yyyymm: the table's partition. */
export function monthOf({ quarter }: { readonly quarter: number }): number {
  const date = new Date(quarter * QUARTER_MS)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}
