// Ids of rows: `<prefix>_` and 26 characters that rise with the time they were made, so that a
// list in the order of ids is one in the order of time, and an id cannot be guessed from another.
import type { Clock } from '../../infra/clock.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16

export function newId(prefix: string, clock: Pick<Clock, 'nowMs' | 'randomBytes'>): string {
  let time = ''
  for (let at = 0, rest = clock.nowMs(); at < TIME_CHARACTERS; at += 1) {
    time = ALPHABET[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  const random = [...clock.randomBytes(RANDOM_CHARACTERS)].map((byte) => ALPHABET[byte % 32])
  return `${prefix}_${time}${random.join('')}`
}
