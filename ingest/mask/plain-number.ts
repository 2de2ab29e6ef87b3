// A whole number that is written otherwise (`4.111e15`, `4111.0`) is found by its value, so it must
// be hidden by it.

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
const MAX_DIGITS = 40

/** Its digits; undefined: it is none, or written plainly. */
export function plainNumber(bytes: Uint8Array, from: number, to: number): string | undefined {
  if (to - from < 8 || to - from > 64) return undefined
  const token = String.fromCharCode(...bytes.subarray(from, to))
  const [, whole = '', fraction = '', power = '0'] = NUMBER.exec(token) ?? []
  if (whole === '' || (fraction === '' && power === '0')) return undefined
  const shift = Number(power)
  const digits = whole + fraction
  const length = whole.length + shift
  if (length < 1 || length > MAX_DIGITS) return undefined
  const isWhole = /^0*$/.test(digits.slice(length))
  return isWhole
    ? digits
        .slice(0, length)
        .padEnd(length, '0')
        .replace(/^0+(?=.)/, '')
    : undefined
}
