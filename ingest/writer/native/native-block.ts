// ClickHouse's Native form of one block: the number of columns and rows, then for each column its
// name, its type's name and its data. The type's name must be the column's to the letter, or the
// engine casts.
import type { ByteBuffer } from '../../bytes/byte-buffer.ts'

export type NativeColumn = {
  readonly name: string
  readonly type: string
  readonly write: (out: ByteBuffer) => void
}

export function writeNativeBlock(
  out: ByteBuffer,
  rows: number,
  columns: readonly NativeColumn[],
): void {
  out.writeVarint(columns.length)
  out.writeVarint(rows)
  for (const column of columns) {
    out.writeString(column.name)
    out.writeString(column.type)
    column.write(out)
  }
}
