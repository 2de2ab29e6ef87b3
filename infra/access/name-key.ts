// The name of a sign-in, as the slowing of guesses counts it: all spellings by which a user is
// found are one name. Otherwise each of them would have attempts of its own.
import { foldName } from '../database/fold-name.ts'

/** Bounds memory; users have no longer names (schemas/users.ts). */
const MAX_CHARACTERS = 255

export function nameKey(name: string): string {
  return foldName(name).slice(0, MAX_CHARACTERS)
}
