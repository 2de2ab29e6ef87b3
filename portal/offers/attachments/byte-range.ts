// What of a file is asked for: conditions and one range (RFC 9110). A set of ranges, or one that
// cannot be read, is answered with the whole file, as the RFC lets it.
import type { ByteRange } from '../../../infra/objects/port.ts'

export type Wanted =
  | { readonly kind: 'whole' | 'unchanged' | 'outside' }
  | { readonly kind: 'part'; readonly range: ByteRange }

export function readWanted(
  headers: Headers,
  { etag, bytes }: { readonly etag: string; readonly bytes: number },
): Wanted {
  if (matches(headers.get('if-none-match'), etag)) return { kind: 'unchanged' }
  const given = headers.get('range')
  const condition = headers.get('if-range')
  if (given === null || (condition !== null && condition.trim() !== etag)) return { kind: 'whole' }
  return readRange(given, bytes)
}

/** Weakly: it is the same file or another. */
export function matches(list: string | null, etag: string): boolean {
  if (list === null) return false
  if (list.trim() === '*') return true
  return list.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

function readRange(given: string, bytes: number): Wanted {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(given) ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  if (first === '') {
    const from = Math.max(0, bytes - Number(last))
    return from < bytes ? { kind: 'part', range: { from, to: bytes } } : { kind: 'outside' }
  }
  const from = Number(first)
  const to = last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  if (last !== '' && Number(last) < from) return { kind: 'whole' }
  return from < bytes ? { kind: 'part', range: { from, to } } : { kind: 'outside' }
}
