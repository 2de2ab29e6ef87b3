// A time as PostgreSQL writes it in ISO form: `2026-01-02 03:04:05.678901+00`. Without a zone it
// counts as UTC.

const TIME = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?([+-]\d\d(?::?\d\d)?|Z)?$/

/** undefined: of no such form. */
export function readRowTime(text: string): { ms: number; nanos: number } | undefined {
  const found = TIME.exec(text)
  if (found === null) return undefined
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = found
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const offset = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
  const digits = fraction.padEnd(9, '0')
  const ms = Date.parse(`${day}T${time}.${digits.slice(0, 3)}${offset}`)
  return Number.isNaN(ms) ? undefined : { ms, nanos: Number(digits.slice(3)) }
}
