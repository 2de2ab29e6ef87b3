// Files of real events as they lie in a folder: logs/*.log holds plain lines, json/*.ndjson holds
// one JSON object a line. Bytes are kept as they are; a line end (LF or CRLF) stands between events
// and belongs to none.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export type DataFile = {
  readonly name: string
  readonly kind: 'lines' | 'json'
  readonly bytes: Buffer
  /** One an event, without its line end. */
  readonly lines: readonly Buffer[]
}

export function readDataFolder(folder: string): DataFile[] {
  const list = (directory: string, ending: string) =>
    readdirSync(join(folder, directory))
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => join(folder, directory, name))
  return [
    ...list('json', '.ndjson').map((path) => readDataFile(path, 'json')),
    ...list('logs', '.log').map((path) => readDataFile(path, 'lines')),
  ]
}

export function readDataFile(path: string, kind: DataFile['kind']): DataFile {
  const bytes = readFileSync(path)
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at)
    const next = newline < 0 ? bytes.length : newline
    const end = bytes[next - 1] === 0x0d ? next - 1 : next
    if (end > at) lines.push(bytes.subarray(at, end))
    at = next + 1
  }
  return { name: basename(path).replace(/\.[^.]*$/, ''), kind, bytes, lines }
}
