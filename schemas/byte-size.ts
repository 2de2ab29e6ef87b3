// Sizes as people write and the guides print them: `10 MiB`, `512k`, `1GB`, or bytes.

export const BYTE_SIZE_HINT =
  'a size: whole bytes, or a number with KiB, MiB, GiB or TiB, such as 10 MiB'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  // A letter alone counts as in most programs: by 1,024.
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  tb: 1000 ** 4,
}

/** Bytes; undefined when the text is no size, or no whole number of bytes. Letter case and one
 *  space before the unit do not count. */
export function parseByteSize(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,16}(?:\.\d{1,6})?) ?([a-z]{0,3})$/i.exec(text) ?? []
  const factor = UNITS[unit.toLowerCase()]
  if (number === '' || factor === undefined) return undefined
  const bytes = Number(number) * factor
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** For a person: `1.5 GiB`; the number has at most three digits. */
export function formatByteSize(bytes: number): string {
  const names = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const
  let [value, at] = [bytes, 0]
  while (value >= 999.5 && at < names.length - 1) [value, at] = [value / 1024, at + 1]
  const digits = at === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${Number(value.toFixed(digits))} ${names[at]}`
}
