// An exception as ClickHouse's HTTP interface answers it: code, name, text. Codes above 9000 are
// ours, the engine has none there.

/** Refused because it was running when the engine process died twice. */
export const POISONED_CODE = 9001

/** What was written cannot be read: checksum, missing file, file of another size, data,
 *  compression, codec. The texts name files. */
export const DAMAGE_CODES: ReadonlySet<number> = new Set([40, 226, 228, 246, 271, 432])

/** As it is answered. */
export type EngineFailure = { readonly code: number; readonly message: string }

export class EngineError extends Error {
  readonly code: number

  constructor(code: number, text: string, kind: string) {
    super(`Code: ${code}. DB::Exception: ${text}. (${kind})`)
    this.name = 'EngineError'
    this.code = code
  }
}

/** What the engine threw: its text begins with `Code: <n>.`; a full disk or quota shows as several
 *  codes and becomes 243 (NOT_ENOUGH_SPACE). */
export function fromEngine(error: unknown): EngineFailure {
  if (error instanceof EngineError) return { code: error.code, message: error.message }
  const message = error instanceof Error ? error.message : String(error)
  if (/errno: (?:28|122|27)\b|No space left on device|ENOSPC|EDQUOT|EFBIG/.test(message))
    return {
      code: 243,
      message: 'Code: 243. DB::Exception: No space left on device. (NOT_ENOUGH_SPACE)',
    }
  const code = /^Code: (\d+)\./.exec(message)?.[1]
  if (code !== undefined) return { code: Number(code), message }
  return { code: 1002, message: `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)` }
}

const BAD_REQUEST = [
  6, 25, 26, 27, 36, 37, 38, 41, 43, 53, 62, 72, 117, 168, 223, 235, 427, 456, 457,
]
const NOT_FOUND = [16, 46, 47, 50, 56, 60, 73, 78, 81, 82, 115, 152]

/** HTTP status of an exception before the first byte of the answer. */
export function httpStatusOf(code: number): number {
  if (BAD_REQUEST.includes(code)) return 400
  if (NOT_FOUND.includes(code)) return 404
  if (code === 516) return 403
  if (code === 48) return 501
  if (code === 159) return 408
  if (code === 202) return 503
  return 500
}
