// Where thawed events lie in the store: under numbers that no collection policy has, one a thaw, so
// that neither retention nor the ledger nor the writer's look-up takes them for what was received
// (docs/decisions/0108).
export const FIRST_THAWED = 32_768
const MAX_NUMBER = 65_535

/** Value of the column `policy` of what a thaw brought back. */
export function thawedUnit(thaw: number): number {
  return FIRST_THAWED + (thaw % (MAX_NUMBER - FIRST_THAWED + 1))
}

export function isThawedUnit(policyId: number): boolean {
  return policyId >= FIRST_THAWED
}
