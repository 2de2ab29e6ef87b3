// Product settings: what an operator changes at run time (decisions 1.6, 1.10, 3.5, 4.5). Kept as
// text in the database; these are their names, types and defaults. Process configuration is another
// thing: infra/config-schema.ts.
import { z } from 'zod'
import { BYTE_SIZE_HINT, parseByteSize } from './byte-size.ts'
import { isBusinessHours } from './time/business-hours.ts'
import { compileDateFormat, type DatePart, readDatePattern } from './time/date-format.ts'
import { localToUtcMs } from './time/local-time.ts'
import { isTimeZone } from './time/time-zone.ts'

export type SettingEntry<T = unknown> = {
  /** Checks the text as it is typed and kept. */
  readonly value: z.ZodType<string, string>
  /** What the kept text means. */
  readonly read: (text: string) => T
  readonly default: string
  readonly help: string
  /** Kept, and never shown again. */
  readonly isSecret?: boolean
}

/** A text that is neither counts as the default. */
const flag = (byDefault: boolean) => ({
  value: z.enum(['true', 'false']),
  read: (text: string) => (byDefault ? text !== 'false' : text === 'true'),
  default: String(byDefault),
})

const text = (value: z.ZodType<string, string>) => ({ value, read: (kept: string) => kept })

const MAX_PORT = 65_535

/** '' is none. */
const port = {
  value: z.union([z.literal(''), wholeNumber(MAX_PORT)]),
  read: (kept: string) => (kept === '' ? undefined : Number(kept)),
  default: '',
}

const count = (max: number) => ({ value: wholeNumber(max), read: Number })

/** Kept as bytes, whatever unit it is given in. */
const byteSize = (max: number) => ({
  value: z
    .string()
    .transform((given) => String(parseByteSize(given) ?? given))
    .pipe(wholeNumber(max, BYTE_SIZE_HINT)),
  read: Number,
})

function wholeNumber(max: number, hint = 'a whole number') {
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, `must be ${hint}`)
    .refine((digits) => Number(digits) >= 1 && Number(digits) <= max, `must be from 1 to ${max}`)
}

const TIME_ZONE_MODES = ['system', 'dynamic', 'tag'] as const

export const SETTINGS = {
  'system.dateFormat': {
    ...text(
      z
        .string()
        .min(1)
        .max(64)
        .refine(
          hasWholeTime,
          'must be a date pattern with year, month, day, hour, minute and second',
        ),
    ),
    default: 'MM/dd/yyyy HH:mm:ss',
    help: 'pattern of dates in parameters and answers',
  },
  'system.timeZone': {
    ...text(z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')),
    // The first start writes the machine's zone, so that a moved machine does not move the data
    // (decision 1.6).
    default: 'UTC',
    help: 'time zone of all dates that name none',
  },
  'system.timeZoneMode': {
    value: z.enum(TIME_ZONE_MODES, `must be ${TIME_ZONE_MODES.join(', ')}`),
    read: (text: string) => TIME_ZONE_MODES.find((mode) => mode === text) ?? 'system',
    default: 'system',
    help: 'zone of searches that name none: of the system; dynamic: the one that the client names in the header X-Time-Zone; tag: the one of the app tag that the search asks in',
  },
  'system.businessHours': {
    ...text(
      z
        .string()
        .refine(
          (hours) => hours === '' || isBusinessHours(hours),
          'must be days, hours and maybe a zone, for example Mon-Fri 09:00-17:00 Europe/Berlin; empty for none',
        ),
    ),
    default: '',
    help: 'days and hours of work, for example Mon-Fri 09:00-17:00 Europe/Berlin; kept: no search of this version uses them',
  },
  'system.security': {
    ...flag(true),
    help: 'false: everybody is an administrator without sign-in',
  },
  'system.auditDays': {
    ...count(36_500),
    default: '400',
    help: 'days for which entries of the audit log are kept',
  },
  'system.sessionIdleMinutes': {
    ...count(10_080),
    default: '60',
    help: 'a session that is not used for so long has ended',
  },
  'system.sessionHours': {
    ...count(8760),
    default: '12',
    help: 'a session ends so long after its beginning, however much it is used',
  },
  'system.httpPort': {
    ...port,
    help: 'HTTP port from the next start or restart on; empty: 30303. LOGEYE_HTTP_PLAIN_PORT overrides it',
  },
  'system.httpsPort': {
    ...port,
    help: 'HTTPS port from the next start or restart on; empty: 30443. LOGEYE_HTTP_TLS_PORT overrides it',
  },
  'system.evidenceTargets': {
    value: z.string().max(2000),
    read: (kept: string) =>
      kept
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    default: '',
    help: 'alert targets (mail, webhook) that the end of the evidence is sent to, separated by commas; empty: none',
  },
  'system.evidenceHours': {
    ...count(8760),
    default: '24',
    help: 'hours between two ends of the evidence that are sent away',
  },
  'system.portalUrl': {
    ...text(
      z.union([
        z.literal(''),
        z.url({ protocol: /^https?$/, error: 'must be http(s)://…' }).max(2000),
      ]),
    ),
    default: '',
    help: 'address of the portal that usage is reported to, for example http://localhost:30300; empty: nothing is reported',
  },
  'system.portalLicenseKey': {
    ...text(
      z.union([
        z.literal(''),
        z
          .string()
          .regex(/^lic_[A-Za-z0-9_-]{16,200}$/, 'must begin with lic_, as the portal gives it'),
      ]),
    ),
    default: '',
    isSecret: true,
    help: 'licence key of the portal for this product, given with -portalLicenseKey and never shown; empty: nothing is reported',
  },
  'system.deploymentName': {
    ...text(
      z
        .string()
        .trim()
        .max(200)
        .refine((name) => !/\p{Cc}/u.test(name), 'must hold no control character'),
    ),
    default: '',
    help: 'name under which the portal shows this product; empty: that of the node that reports',
  },
  'widgets.searchAPI.maxNumOfRecords': {
    ...count(1_000_000),
    default: '100',
    help: 'rows of a search that names no maxNumOfRecords',
  },
  'widgets.searchAPI.maxInlineBytes': {
    ...byteSize(64 * 1024 * 1024),
    default: String(1024 * 1024),
    help: 'bytes of rows inside an answer or a page; a larger one is a file that the answer names',
  },
  'widgets.searchAPI.maxResults': {
    ...count(100_000_000),
    default: '1000000',
    help: 'rows that one search may deliver, exports left out',
  },
  'widgets.searchAPI.maxStoredResults': {
    ...count(100_000),
    default: '1000',
    help: 'results with pages or files that are kept for one user at once',
  },
  'widgets.searchAPI.maxStoredBytes': {
    ...byteSize(999_999_999_999_999),
    default: String(10 * 1024 ** 3),
    help: 'bytes of these results, of their rows before compression',
  },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof SETTINGS

/** Settings with an argument of their own in the command `settings`. */
export const OWN_ARGUMENTS = {
  security: 'system.security',
  timeZone: 'system.timeZone',
  timeZoneMode: 'system.timeZoneMode',
  httpPort: 'system.httpPort',
  httpsPort: 'system.httpsPort',
  portalUrl: 'system.portalUrl',
  portalLicenseKey: 'system.portalLicenseKey',
} as const satisfies Record<string, SettingName>

export const SETTING_NAMES = Object.keys(SETTINGS).filter(isSettingName)

/** What `setting(name)` gives. */
export type SettingValue<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['read']>

const ENTRIES: { readonly [N in SettingName]: SettingEntry<SettingValue<N>> } = SETTINGS

/** From the text that is kept; undefined: none is. */
export function readSetting<N extends SettingName>(
  name: N,
  kept: string | undefined,
): SettingValue<N> {
  const entry = ENTRIES[name]
  return entry.read(kept ?? entry.default)
}

export function isSecretSetting(name: SettingName): boolean {
  const entry: SettingEntry = SETTINGS[name]
  return entry.isSecret === true
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

/** `Hm`: where the first number ends is not known, and of many in a row there are too many ways. */
function hasTouchingNumbers(parts: readonly DatePart[]): boolean {
  const isNumber = (part: DatePart | undefined) =>
    typeof part === 'object' &&
    'yMdHhkKmsS'.includes(part.letter) &&
    !(part.letter === 'M' && part.width > 2)
  return parts.some(
    (part, at) =>
      typeof part === 'object' &&
      part.width === 1 &&
      part.letter !== 'S' &&
      isNumber(part) &&
      isNumber(parts[at + 1]),
  )
}

/** What the pattern prints must be readable again to the second, or a search could not be given its
 *  own times. */
function hasWholeTime(pattern: string): boolean {
  const local = { year: 2031, month: 12, day: 28, hour: 22, minute: 47, second: 39, millisecond: 0 }
  try {
    if (hasTouchingNumbers(readDatePattern(pattern))) return false
    const format = compileDateFormat(pattern)
    const back = format.parse(format.print(local, 0))?.local
    return back !== undefined && localToUtcMs(back) === localToUtcMs(local)
  } catch {
    return false
  }
}
