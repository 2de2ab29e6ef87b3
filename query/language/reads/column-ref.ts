import { originOf } from '../parse/parse-test.ts'
import type { ColumnRef } from '../tree.ts'

/** A name as in a query: `column.x` and `event.x` say the origin outright. */
export function columnRef(text: string): ColumnRef {
  const [, prefix = '', rest = ''] = /^([a-z]+)\.(.+)$/is.exec(text) ?? []
  const origin = originOf(prefix)
  const name = origin === undefined ? text : rest
  return { kind: 'column', name, origin: origin ?? 'any', start: 0, end: text.length }
}
