// A date format in Java's letters -> the steps by which its bytes are read.

/** Where a step puts its number. */
export const YEAR = 0
export const MONTH = 1
export const DAY = 2
export const HOUR = 3
export const HALF_DAY_HOUR = 4
export const MINUTE = 5
export const SECOND = 6
export const DAY_OF_YEAR = 7
export const FIELD_COUNT = 8

/** What is done with the number: `yy` has no century, in `k` 24 is 0, in `h` 12. */
type DigitsMeaning = 'as it is' | 'two digits' | 'of 24' | 'of 12'

export type DateStep =
  | {
      readonly kind: 'digits'
      readonly field: number
      readonly min: number
      readonly max: number
      readonly low: number
      readonly high: number
      readonly meaning: DigitsMeaning
    }
  /** `mark`: `.` or `,` before it, with which it may be missing; 0: it stands there without. */
  | { readonly kind: 'fraction'; readonly max: number; readonly mark: number }
  | { readonly kind: 'month' | 'weekday'; readonly names: readonly Name[] }
  | { readonly kind: 'half' | 'zone' | 'spaces' }
  | { readonly kind: 'literal'; readonly bytes: Uint8Array }

/** UTF-8 in lower case. */
export type Name = { readonly bytes: Uint8Array; readonly value: number }

const LETTERS = 'yuMLdEaHhkKmsSnXZzxD'

/** Throws RangeError, with a message that says the way out. */
export function readDateLetters(format: string, locale: string): DateStep[] {
  const tokens = tokenize(format)
  return tokens.flatMap((token, i): DateStep[] => {
    const next = tokens[i + 1]
    if (token.letter === '') {
      const isMark = next !== undefined && 'Sn'.includes(next.letter) && /[.,]$/.test(token.text)
      return literalSteps(isMark ? token.text.slice(0, -1) : token.text)
    }
    if (token.letter === 'S' || token.letter === 'n') {
      const before = tokens[i - 1]
      const mark = before?.letter === '' ? /[.,]$/.exec(before.text)?.[0] : undefined
      const isFollowed = next !== undefined && isNumeric(next.letter, next.text.length)
      const max = isFollowed ? token.text.length : 9
      return [{ kind: 'fraction', max, mark: mark?.charCodeAt(0) ?? 0 }]
    }
    const isTight = next !== undefined && isNumeric(next.letter, next.text.length)
    return [stepOf(token.letter, token.text.length, isTight, locale)]
  })
}

type Token = { readonly letter: string; readonly text: string }

function tokenize(format: string): Token[] {
  const tokens: Token[] = []
  const literal = (text: string) => {
    const last = tokens.at(-1)
    if (last?.letter === '') tokens[tokens.length - 1] = { letter: '', text: last.text + text }
    else tokens.push({ letter: '', text })
  }
  for (let at = 0; at < format.length; ) {
    const character = format.charAt(at)
    if (character === "'") {
      const quoted = /'((?:[^']|'')*)'/y
      quoted.lastIndex = at
      const match = quoted.exec(format)
      if (match === null) throw new RangeError("a quote is open in the date's format; close it")
      literal(match[0] === "''" ? "'" : (match[1] ?? '').replaceAll("''", "'"))
      at += match[0].length
    } else if (/[A-Za-z]/.test(character)) {
      let end = at
      while (format.charAt(end) === character) end++
      if (!LETTERS.includes(character))
        throw new RangeError(
          `the letter ${character} is not known in a date's format; put text in single quotes`,
        )
      tokens.push({ letter: character, text: format.slice(at, end) })
      at = end
    } else {
      literal(character)
      at++
    }
  }
  return tokens
}

function isNumeric(letter: string, width: number): boolean {
  if (letter === '') return false
  return 'yudHhkKmsSnD'.includes(letter) || ('ML'.includes(letter) && width < 3)
}

/** A space takes one or more. */
function literalSteps(text: string): DateStep[] {
  return (text.match(/ +|[^ ]+/g) ?? []).map(
    (part): DateStep =>
      part.startsWith(' ')
        ? { kind: 'spaces' }
        : { kind: 'literal', bytes: new TextEncoder().encode(part) },
  )
}

function stepOf(letter: string, width: number, isTight: boolean, locale: string): DateStep {
  const digits = (
    field: number,
    low: number,
    high: number,
    meaning: DigitsMeaning = 'as it is',
  ): DateStep => {
    const most = field === DAY_OF_YEAR ? 3 : 2
    const min = isTight ? Math.min(most, width) : 1
    return { kind: 'digits', field, min, max: isTight ? min : most, low, high, meaning }
  }
  const year = (count: 2 | 4): DateStep => ({
    ...{ kind: 'digits', field: YEAR, min: count, max: count },
    ...(count === 2
      ? { low: 0, high: 99, meaning: 'two digits' }
      : { low: 1970, high: 2199, meaning: 'as it is' }),
  })
  switch (letter) {
    case 'y':
    case 'u':
      return year(width === 2 ? 2 : 4)
    case 'M':
    case 'L':
      return width >= 3 ? { kind: 'month', names: monthNames(locale) } : digits(MONTH, 1, 12)
    case 'd':
      return digits(DAY, 1, 31)
    case 'D':
      return digits(DAY_OF_YEAR, 1, 366)
    case 'E':
      return { kind: 'weekday', names: weekdayNames(locale) }
    case 'a':
      return { kind: 'half' }
    case 'H':
      return digits(HOUR, 0, 23)
    case 'k':
      return digits(HOUR, 1, 24, 'of 24')
    case 'K':
      return digits(HALF_DAY_HOUR, 0, 11)
    case 'h':
      return digits(HALF_DAY_HOUR, 1, 12, 'of 12')
    case 'm':
      return digits(MINUTE, 0, 59)
    case 's':
      return digits(SECOND, 0, 60)
    default:
      return { kind: 'zone' }
  }
}

function monthNames(locale: string): Name[] {
  const dates = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)))
  return namesOf(dates, 'month', locale)
}

function weekdayNames(locale: string): Name[] {
  const dates = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 7 + day)))
  return namesOf(dates, 'weekday', locale)
}

/** Long and short, with and without a dot; longest first, since one may begin like another. */
function namesOf(dates: readonly Date[], part: 'month' | 'weekday', locale: string): Name[] {
  const names = new Map<string, number>()
  for (const style of ['long', 'short'] as const) {
    const alone = new Intl.DateTimeFormat(locale, { [part]: style, timeZone: 'UTC' })
    const inDate = new Intl.DateTimeFormat(locale, {
      ...{ [part]: style, day: 'numeric', timeZone: 'UTC' },
    })
    for (const [value, date] of dates.entries()) {
      const found = inDate.formatToParts(date).find(({ type }) => type === part)?.value ?? ''
      for (const name of [alone.format(date), found]) {
        const folded = name.toLowerCase()
        for (const one of [folded, folded.replace(/\.$/, '')])
          if (one !== '' && !names.has(one)) names.set(one, value)
      }
    }
  }
  const encoder = new TextEncoder()
  return [...names]
    .map(([name, value]) => ({ bytes: encoder.encode(name), value }))
    .sort((a, b) => b.bytes.length - a.bytes.length)
}
