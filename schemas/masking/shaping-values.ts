// What an account stores and takes, as arguments of commands.
import { z } from 'zod'

const MAX_BLOCKS = 200
const MAX_FILTER_CHARACTERS = 8192
const ZERO_MEANS_NONE = 0

export const sampledPercentValue = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,2})?$/, 'must be a number from 0 to 100 with at most two decimals')
  .transform(Number)
  .refine((percent) => percent <= 100, 'must be at most 100')

export const dropFilterValue = z
  .string()
  .max(MAX_FILTER_CHARACTERS, `must have at most ${MAX_FILTER_CHARACTERS} characters`)
  .transform((text) => text.trim())

/** Addresses and blocks with commas between them; '' is every address. */
export const addressesValue = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((blocks) => blocks.length <= MAX_BLOCKS, `must have at most ${MAX_BLOCKS} addresses`)
  .refine(
    (blocks) => blocks.every(isBlock),
    'must be addresses or blocks such as 10.1.0.0/16 or 2001:db8::/32, with commas between them',
  )

/** A limit; 0 is none. */
export const limitValue = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number, 0 for no limit')
  .transform(Number)

export function printLimit(limit: number | undefined): string {
  return String(limit ?? ZERO_MEANS_NONE)
}

function isBlock(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const most = isV4(address) ? 32 : isV6(address) ? 128 : 0
  if (most === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

function isV4(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((it) => Number(it) <= 255)
}

function isV6(text: string): boolean {
  return text.includes(':') && /^[0-9A-Fa-f:.]+$/.test(text) && URL.canParse(`http://[${text}]/`)
}
