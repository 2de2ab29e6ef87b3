// What a suite needs and a machine may not have: the reason why it is skipped there, which
// closing-line.ts counts.
import { isFullTier } from './tier.ts'

/** Why it is skipped; nothing when all is there. */
export type Missing = string | undefined

/** For programs and packages beside Node. `npm test` never looks for them, so that it does the same
 * on every machine; `npm run test:all` installs them, so there it throws when `isHere` is false. */
export function missing(isHere: () => boolean, tool: string): Missing {
  if (!isFullTier) return `needs ${tool}: npm run test:all`
  if (!isHere()) throw new Error(`npm run test:all needs ${tool}`)
  return undefined
}

/** For what no installation gives: the right to mount, IPv6, a ClickHouse server. */
export function missingEvenInCi(isHere: boolean, reason: string): Missing {
  return isHere ? undefined : reason
}
