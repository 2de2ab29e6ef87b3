// Digests of rows are added modulo 2^128: the order of rows does not matter, and what is deleted
// can be taken off. Pure.
const MODULUS = 1n << 128n

/** Decimal texts. */
export function addDigests(one: string, other: string, sign: 1n | -1n = 1n): string {
  const sum = (BigInt(one) + sign * BigInt(other)) % MODULUS
  return String(sum < 0n ? sum + MODULUS : sum)
}
