// As much of DER as a trust store needs. Pure; every fault is a RangeError.

export type DerElement = {
  readonly isConstructed: boolean
  readonly value: Buffer
}

/** The element that starts at the beginning; what follows it is not looked at. */
export function readOne(bytes: Buffer): DerElement {
  return readAt(bytes, 0).element
}

export function children(element: DerElement): DerElement[] {
  if (!element.isConstructed) throw new RangeError('no elements in it')
  const found: DerElement[] = []
  for (let offset = 0; offset < element.value.length; ) {
    const { element: child, end } = readAt(element.value, offset)
    found.push(child)
    offset = end
  }
  return found
}

/** Dotted text. */
export function readOid(element: DerElement): string {
  const [first = 0, ...rest] = element.value
  const parts = [
    Math.min(2, Math.floor(first / 40)),
    first - 40 * Math.min(2, Math.floor(first / 40)),
  ]
  let part = 0
  for (const byte of rest) {
    part = part * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      parts.push(part)
      part = 0
    }
  }
  return parts.join('.')
}

/** Up to six bytes, not negative. */
export function readInteger(element: DerElement): number {
  const { value } = element
  if (value.length === 0 || value.length > 6) throw new RangeError('integer')
  return value.readUIntBE(0, value.length)
}

function readAt(bytes: Buffer, offset: number): { element: DerElement; end: number } {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) throw new RangeError('cut off')
  // 0x80 would be BER's open length, 0x1f a tag of several bytes: neither stands in a trust store.
  if (first === 0x80 || first > 0x84 || (tag & 0x1f) === 0x1f) throw new RangeError('not DER')
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  const start = offset + 2 + lengthBytes
  if (start > bytes.length) throw new RangeError('cut off')
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes)
  if (start + length > bytes.length) throw new RangeError('cut off')
  const element = {
    isConstructed: (tag & 0x20) !== 0,
    value: bytes.subarray(start, start + length),
  }
  return { element, end: start + length }
}
