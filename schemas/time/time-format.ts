// How a time was written, as one small integer, so that its text can be printed again from the
// instant alone (layout of an event, schemas/event-layout.ts). 0 means that it cannot be printed
// again byte for byte.

type TimeKind = 'iso' | 'mail' | 'epoch'
type IsoSeparator = 'T' | ' ' | 't'
/** How the zone stands in the text: not at all, as Z or z, ±hh:mm, ±hhmm, and the last two after a
 *  space. */
type ZoneStyle = 'none' | 'Z' | 'z' | 'colon' | 'basic' | 'spaceColon' | 'spaceBasic'

export type TimeFormat =
  | {
      readonly kind: 'iso'
      readonly separator: IsoSeparator
      /** 0–9 digits of the second. */
      readonly digits: number
      readonly fractionMark: '.' | ','
      readonly zone: ZoneStyle
      /** Offset that was applied, written or not, |offset| < 1 day. */
      readonly offsetSeconds: number
    }
  | { readonly kind: 'mail'; readonly offsetSeconds: number }
  | { readonly kind: 'epoch'; readonly unit: EpochUnit; readonly digits: number }

type EpochUnit = 's' | 'ms' | 'us' | 'ns'

export const UNPRINTABLE = 0
const KINDS: readonly TimeKind[] = ['iso', 'mail', 'epoch']
const SEPARATORS: readonly IsoSeparator[] = ['T', ' ', 't']
const MARKS = ['.', ','] as const
const ZONE_STYLES: readonly ZoneStyle[] = [
  'none',
  'Z',
  'z',
  'colon',
  'basic',
  'spaceColon',
  'spaceBasic',
]
const EPOCH_UNITS: readonly EpochUnit[] = ['s', 'ms', 'us', 'ns']
const UNIT_DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const
const DAY_SECONDS = 86_400
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
export const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
]

// Codes: kind + 1 in the low 2 bits, then per kind: epoch: unit (2 bits), digits; mail: offset;
// iso: separator (2), mark (1), zone (3), digits (4), offset.

export function encodeTimeFormat(format: TimeFormat): number {
  const kind = KINDS.indexOf(format.kind) + 1
  switch (format.kind) {
    case 'epoch':
      return epochCode(EPOCH_UNITS.indexOf(format.unit), format.digits)
    case 'mail':
      return kind | ((format.offsetSeconds + DAY_SECONDS) << 2)
    case 'iso':
      return isoCode(
        SEPARATORS.indexOf(format.separator),
        MARKS.indexOf(format.fractionMark),
        ZONE_STYLES.indexOf(format.zone),
        format.digits,
        format.offsetSeconds,
      )
  }
}

/** The hot path's form of encodeTimeFormat: indexes into the lists above. */
export function isoCode(
  separator: number,
  mark: number,
  zone: number,
  digits: number,
  offsetSeconds: number,
): number {
  const offset = offsetSeconds + DAY_SECONDS
  return 1 | (separator << 2) | (mark << 4) | (zone << 5) | (digits << 8) | (offset << 12)
}

/** Unit 0 s, 1 ms, 2 us, 3 ns; digits after the point. */
export function epochCode(unit: number, digits: number): number {
  return 3 | (unit << 2) | (digits << 4)
}

export function decodeTimeFormat(code: number): TimeFormat {
  switch (code & 3) {
    case 1:
      return {
        kind: 'iso',
        separator: SEPARATORS[(code >> 2) & 3] ?? 'T',
        fractionMark: MARKS[(code >> 4) & 1] ?? '.',
        zone: ZONE_STYLES[(code >> 5) & 7] ?? 'none',
        digits: (code >> 8) & 15,
        offsetSeconds: (code >> 12) - DAY_SECONDS,
      }
    case 2:
      return { kind: 'mail', offsetSeconds: (code >> 2) - DAY_SECONDS }
    case 3:
      return { kind: 'epoch', unit: EPOCH_UNITS[(code >> 2) & 3] ?? 's', digits: code >> 4 }
    default:
      throw new RangeError('no time format has this code')
  }
}

/** Prints the instant (epoch milliseconds, nanoseconds below them) as `format` says. */
export function printTime(format: TimeFormat, ms: number, nanos: number): string {
  switch (format.kind) {
    case 'epoch':
      return printEpoch(format.unit, format.digits, ms, nanos)
    case 'mail':
      return printMail(ms, format.offsetSeconds)
    case 'iso': {
      const text = new Date(ms + format.offsetSeconds * 1000).toISOString()
      const fraction = fractionText(ms, nanos).slice(0, format.digits)
      const mark = format.digits > 0 ? format.fractionMark : ''
      const zone = printZone(format.zone, format.offsetSeconds)
      return `${text.slice(0, 10)}${format.separator}${text.slice(11, 19)}${mark}${fraction}${zone}`
    }
  }
}

/** Nine digits below the second. */
function fractionText(ms: number, nanos: number): string {
  return String((ms % 1000) * 1_000_000 + nanos).padStart(9, '0')
}

function printEpoch(unit: EpochUnit, digits: number, ms: number, nanos: number): string {
  const whole = UNIT_DIGITS[unit]
  const fraction = fractionText(ms, nanos)
  const text = `${Math.floor(ms / 1000)}${fraction.slice(0, whole)}`.replace(/^0+(?=\d)/, '')
  return digits === 0 ? text : `${text}.${fraction.slice(whole, whole + digits)}`
}

function printZone(style: ZoneStyle, offsetSeconds: number): string {
  switch (style) {
    case 'none':
      return ''
    case 'Z':
    case 'z':
      return style
    case 'colon':
    case 'spaceColon':
      return (style === 'colon' ? '' : ' ') + printOffset(offsetSeconds, ':')
    case 'basic':
    case 'spaceBasic':
      return (style === 'basic' ? '' : ' ') + printOffset(offsetSeconds, '')
  }
}

function printOffset(offsetSeconds: number, between: string): string {
  const minutes = Math.abs(offsetSeconds) / 60
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0')
  return `${offsetSeconds < 0 ? '-' : '+'}${hours}${between}${String(minutes % 60).padStart(2, '0')}`
}

/** `Fri, 21 Nov 1997 09:55:06 -0600`. */
function printMail(ms: number, offsetSeconds: number): string {
  const local = new Date(ms + offsetSeconds * 1000)
  const day = String(local.getUTCDate()).padStart(2, '0')
  const date = `${WEEKDAYS[local.getUTCDay()]}, ${day} ${MONTHS[local.getUTCMonth()]}`
  const clock = local.toISOString().slice(11, 19)
  return `${date} ${local.getUTCFullYear()} ${clock} ${printOffset(offsetSeconds, '')}`
}
