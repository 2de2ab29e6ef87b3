// ClickHouse's error codes -> our failures. By code, never by class (two copies of a package break
// `instanceof`) and, but for one code of many meanings, never by text (texts quote rows).
import { Failure, type FailureCode, type FailureDetails } from '../../schemas/failures.ts'
import { REFUSALS, SEVERAL_SPELLINGS_CODE } from '../../schemas/store/refusals.ts'
import { DAMAGE_CODES, POISONED_CODE } from './server/engine-error.ts'

const BY_CODE: Readonly<Record<number, FailureCode>> = {
  159: 'store.timeout',
  394: 'store.cancelled',
  241: 'store.memory',
  396: 'store.too_many_rows',
  // No room; a write that failed.
  243: 'store.no_space',
  75: 'store.no_space',
  // Too many statements wait; too many parts: merges are behind.
  202: 'store.unavailable',
  252: 'store.unavailable',
  // In a cluster: another server, the copies that a quorum needs, or Keeper are away. An insert may
  // have been done.
  203: 'store.unavailable',
  209: 'store.unavailable',
  210: 'store.unavailable',
  225: 'store.unavailable',
  242: 'store.unavailable',
  254: 'store.unavailable',
  279: 'store.unavailable',
  285: 'store.unavailable',
  286: 'store.unavailable',
  289: 'store.unavailable',
  319: 'store.unavailable',
  369: 'store.unavailable',
  999: 'store.unavailable',
  // Text, date, number, type, JSON that cannot be what its column asks for.
  6: 'store.data',
  26: 'store.data',
  27: 'store.data',
  33: 'store.data',
  38: 'store.data',
  41: 'store.data',
  53: 'store.data',
  69: 'store.data',
  72: 'store.data',
  117: 'store.data',
  131: 'store.data',
  321: 'store.data',
  // A regular expression that the engine does not build: too large, as a rule.
  427: 'store.regexp',
  // Deeper, or longer to read, than the engine takes.
  167: 'store.too_complex',
  168: 'store.too_complex',
  306: 'store.too_complex',
  718: 'store.too_complex',
  ...Object.fromEntries([...DAMAGE_CODES].map((code) => [code, 'store.damaged'])),
  [POISONED_CODE]: 'store.poisoned',
  [REFUSALS.groups.code]: 'store.too_many_groups',
  [REFUSALS.buckets.code]: 'store.too_many_buckets',
  [REFUSALS.subQueryValues.code]: 'store.too_many_values',
  [REFUSALS.transposedColumns.code]: 'store.too_many_columns',
  [SEVERAL_SPELLINGS_CODE]: 'store.several_spellings',
}

/** BAD_ARGUMENTS: told apart by the engine's own first words. */
const MANIFOLD_CODE = 36
const BY_FIRST_WORDS: readonly (readonly [RegExp, FailureCode])[] = [
  [/^Query tree is too big/, 'store.too_complex'],
  [/^The pattern argument is not a valid re2 pattern/, 'store.regexp'],
]

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** ClickHouse's own code, when it answered. */
export function clickHouseCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const code = Number(error.code)
  return Number.isInteger(code) && code > 0 ? code : undefined
}

export function toFailure(error: unknown, details: FailureDetails): Failure {
  const code = clickHouseCode(error)
  if (code !== undefined) {
    const meant = BY_CODE[code] ?? (code === MANIFOLD_CODE ? byFirstWords(error) : undefined)
    return new Failure(meant ?? 'store.failed', details, error)
  }
  const system = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isConnection =
    CONNECTION_CODES.has(system) ||
    (error instanceof Error && /aborted|hang up|Timeout/.test(error.message))
  return new Failure(isConnection ? 'store.unavailable' : 'store.failed', details, error)
}

function byFirstWords(error: unknown): FailureCode | undefined {
  const text = error instanceof Error ? error.message : ''
  return BY_FIRST_WORDS.find(([words]) => words.test(text))?.[1]
}
