// One JSON line a record on stderr; the message is a fixed lower-case phrase, values are fields.
// Never give it secrets, tokens, query strings or event bodies. A failure is logged as its code.
import { isFailure } from '../schemas/failures.ts'
import type { Clock } from './clock.ts'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Logger {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  isEnabled(level: LogLevel): boolean
}

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 }

export function makeLogger(options: {
  level: LogLevel
  process: string
  clock: Clock
  write?: (line: string) => void
}): Logger {
  const write = options.write ?? ((line: string) => void process.stderr.write(line))
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (RANK[level] > RANK[options.level]) return
      const time = new Date(options.clock.nowMs()).toISOString()
      write(`${JSON.stringify({ time, level, process: options.process, message, ...fields })}\n`)
    }
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    isEnabled: (level) => RANK[level] <= RANK[options.level],
  }
}

/** What may be logged of a caught value: the failure's code, or the class and first places of a
 *  bug; not its message, which may have several lines. */
export function describeError(error: unknown): LogFields {
  if (isFailure(error)) return { failure: error.code, ...describeCause(error.cause) }
  if (error instanceof Error) return { bug: error.name, stack: placesOf(error) }
  return { bug: typeof error }
}

function placesOf({ stack = '', message }: Error): string {
  const places = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
  return places.slice(0, 5).join(' ')
}

function describeCause(cause: unknown): LogFields {
  if (!(cause instanceof Error)) return {}
  const causeCode = 'code' in cause ? String(cause.code) : undefined
  // The class `Error` adds nothing to the code of the failure.
  return cause.name === 'Error' ? { causeCode } : { cause: cause.name, causeCode }
}
