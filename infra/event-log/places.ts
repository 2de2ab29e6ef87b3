/** Places of an event log begin at so many times its number
 *  (infra/metastore/ledger/known-event-log.ts): above all of those before it. */
export const PLACES_OF_A_LOG = 2 ** 40

/** Takes a place, or the number of a writer's intent, which rises as places do. */
export function eventLogNumberOf(place: number): number {
  return Math.floor(place / PLACES_OF_A_LOG)
}
