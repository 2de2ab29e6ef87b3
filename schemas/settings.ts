// Product settings: what an operator changes at run time (decisions 1.6, 1.10, 3.5, 4.5). Kept as
// text in the database; these are their names, types and defaults. Process configuration is another
// thing: infra/config-schema.ts.
import { z } from 'zod'
import { BYTE_SIZE_HINT, parseByteSize } from './byte-size.ts'
import { compileDateFormat } from './time/date-format.ts'
import { localToUtcMs } from './time/local-time.ts'
import { isTimeZone } from './time/time-zone.ts'

const flag = z.enum(['true', 'false'])
const count = (max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .refine((text) => Number(text) >= 1 && Number(text) <= max, `must be from 1 to ${max}`)

/** Kept as bytes, whatever unit it is given in. */
const byteSize = (max: number) =>
  z
    .string()
    .transform((text) => String(parseByteSize(text) ?? text))
    .pipe(
      z
        .string()
        .regex(/^[0-9]{1,15}$/, `must be ${BYTE_SIZE_HINT}`)
        .refine((text) => Number(text) >= 1 && Number(text) <= max, `must be from 1 to ${max}`),
    )

export type SettingEntry = {
  /** Checks the text as it is typed and kept. */
  readonly value: z.ZodType<string, string>
  readonly default: string
  readonly help: string
}

export const SETTINGS = {
  'system.dateFormat': {
    value: z
      .string()
      .min(1)
      .max(64)
      .refine(
        hasWholeTime,
        'must be a date pattern with year, month, day, hour, minute and second',
      ),
    default: 'MM/dd/yyyy HH:mm:ss',
    help: 'pattern of dates in parameters and answers',
  },
  'system.timeZone': {
    value: z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
    // The first start writes the machine's zone, so that a moved machine does not move the data
    // (decision 1.6).
    default: 'UTC',
    help: 'time zone of all dates that name none',
  },
  'system.security': {
    value: flag,
    default: 'true',
    help: 'false: everybody is an administrator without sign-in',
  },
  'system.auditDays': {
    value: count(36_500),
    default: '400',
    help: 'days for which entries of the audit log are kept',
  },
  'widgets.searchAPI.maxNumOfRecords': {
    value: count(1_000_000),
    default: '100',
    help: 'rows of a search that names no maxNumOfRecords',
  },
  'widgets.searchAPI.maxInlineBytes': {
    value: byteSize(64 * 1024 * 1024),
    default: String(1024 * 1024),
    help: 'bytes of rows inside an answer or a page; a larger one is a file that the answer names',
  },
  'widgets.searchAPI.maxResults': {
    value: count(100_000_000),
    default: '1000000',
    help: 'rows that one search may deliver, exports left out',
  },
  'widgets.searchAPI.maxStoredResults': {
    value: count(100_000),
    default: '1000',
    help: 'results with pages or files that are kept for one user at once',
  },
  'widgets.searchAPI.maxStoredBytes': {
    value: byteSize(999_999_999_999_999),
    default: String(10 * 1024 ** 3),
    help: 'bytes of these results, of their rows before compression',
  },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof SETTINGS

export const SETTING_NAMES = Object.keys(SETTINGS).filter(isSettingName)

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

/** What the pattern prints must be readable again to the second, or a search could not be given its
 *  own times. */
function hasWholeTime(pattern: string): boolean {
  const local = { year: 2031, month: 12, day: 28, hour: 22, minute: 47, second: 39, millisecond: 0 }
  try {
    const format = compileDateFormat(pattern)
    const back = format.parse(format.print(local, 0))?.local
    return back !== undefined && localToUtcMs(back) === localToUtcMs(local)
  } catch {
    return false
  }
}
