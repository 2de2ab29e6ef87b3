// What the metastore needs of a source query. The search language knows how to read one; it is
// given by the process that has it.
import type { LogRecord } from '../tree/port.ts'

export type SourceQuery = {
  selects(log: LogRecord): boolean
  /** True when the query asks for logs with this tag. */
  namesTag(name: string): boolean
}

/** Undefined: it cannot be read. */
export type ReadSourceQuery = (text: string) => SourceQuery | undefined
