// The ways to send the same events (decision 2.1). JSON events go out as their own bytes; plain
// lines are wrapped as events.
import { gzipSync } from 'node:zlib'
import type { DataFile } from './data-files.ts'

export const SHAPES = ['object', 'array', 'ndjson', 'concatenated', 'gzip'] as const
export type Shape = (typeof SHAPES)[number]

export type Body = {
  readonly bytes: Buffer
  readonly encoding: '' | 'gzip'
  readonly events: number
}

/** The most a body holds before it is compressed; the listener takes 10 MiB. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** The bytes of each event as they are sent, and as `raw` must give them back. `log`: where wrapped
 *  lines go. */
export function eventBytes(file: DataFile, log: string): Buffer[] {
  if (file.kind === 'json') return [...file.lines]
  return file.lines.map((line) =>
    Buffer.from(JSON.stringify({ message: line.toString('utf8'), productName: log })),
  )
}

export function makeBodies(file: DataFile, events: readonly Buffer[], shape: Shape): Body[] {
  if (shape === 'object') return events.map((bytes) => ({ bytes, encoding: '', events: 1 }))
  // A whole file of JSON lines goes out exactly as it lies on the disk, its own line ends between
  // the events.
  const isWhole = shape === 'ndjson' && file.kind === 'json' && file.bytes.length <= MAX_BODY_BYTES
  if (isWhole) return [{ bytes: file.bytes, encoding: '', events: events.length }]
  return groupBySize(events).map((group) => {
    const [open, between, close] = FRAMES[shape]
    const parts = group.flatMap((event, at) => (at === 0 ? [event] : [Buffer.from(between), event]))
    const bytes = Buffer.concat([Buffer.from(open), ...parts, Buffer.from(close)])
    if (shape === 'gzip') return { bytes: gzipSync(bytes), encoding: 'gzip', events: group.length }
    return { bytes, encoding: '', events: group.length }
  })
}

const FRAMES = {
  array: ['[\n ', ' ,\r\n ', '\n]\n'],
  ndjson: ['', '\n', '\n'],
  concatenated: ['', '', ''],
  gzip: ['', '\r\n', '\r\n'],
} as const

function groupBySize(events: readonly Buffer[]): Buffer[][] {
  const groups: Buffer[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const event of events) {
    if (size + event.length > MAX_BODY_BYTES) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(event)
    size += event.length + 4
  }
  return groups
}
