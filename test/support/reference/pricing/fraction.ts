// Fractions of whole numbers: exact, slow, and without the decimal library that they judge.

export type Fraction = { readonly top: bigint; readonly bottom: bigint }

export const NOTHING = whole(0)

export function whole(value: number): Fraction {
  return { top: BigInt(value), bottom: 1n }
}

export function read(text: string): Fraction {
  const [before = '', after = ''] = text.split('.')
  return { top: BigInt(before + after), bottom: 10n ** BigInt(after.length) }
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom - b.top * a.bottom, bottom: a.bottom * b.bottom }
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom }
}

/** `b` is more than 0. */
export function over(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top }
}

export function isLess(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom < b.top * a.bottom
}

export function least(a: Fraction, b: Fraction): Fraction {
  return isLess(b, a) ? b : a
}

export function most(a: Fraction, b: Fraction): Fraction {
  return isLess(a, b) ? b : a
}

export function addUp(values: readonly Fraction[]): Fraction {
  return values.reduce(plus, NOTHING)
}

/** Not negative. To so many digits after the point; a tie goes to the even digit. */
export function round(value: Fraction, digits: number): Fraction {
  const scale = 10n ** BigInt(digits)
  const scaled = value.top * scale
  const down = scaled / value.bottom
  const twiceRest = (scaled % value.bottom) * 2n
  const isUp = twiceRest > value.bottom || (twiceRest === value.bottom && down % 2n === 1n)
  return { top: isUp ? down + 1n : down, bottom: scale }
}

/** A whole number, itself or the next above. */
export function roundUp(value: Fraction): Fraction {
  const down = value.top / value.bottom
  return { top: value.top % value.bottom === 0n ? down : down + 1n, bottom: 1n }
}

/** Of a rounded value. */
export function print(value: Fraction, digits: number): string {
  const text = ((value.top * 10n ** BigInt(digits)) / value.bottom).toString()
  if (digits === 0) return text
  const padded = text.padStart(digits + 1, '0')
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}
