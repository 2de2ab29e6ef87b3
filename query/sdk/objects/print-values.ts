// Values as arguments are written: what schemas/sdk/values.ts reads.
import type { SplitColumn } from '../../../schemas/listener-account.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'

/** `a,b`; a JSON array where that would be read differently. */
export function printList(elements: readonly string[]): string {
  const isPlain = elements.every((element) => !element.includes(','))
  return isPlain && elements[0]?.startsWith('[') !== true
    ? elements.join(',')
    : JSON.stringify(elements)
}

export function printSplitColumns(columns: readonly SplitColumn[]): string {
  return columns.map(({ key, isHost }) => (isHost ? `${key}*` : key)).join(LEVEL_SEPARATOR)
}
