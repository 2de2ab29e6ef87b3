// The style of the JSON interface: parameters in the address, a form or a JSON object; the envelope
// out, of what failed with details.
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import { envelope } from '../edge/envelope.ts'
import type { SearchAudit } from '../edge/search-audit.ts'
import type { EdgeCall, Surface } from '../edge/surface.ts'
import { ERROR_ENVELOPE } from './failed-answer.ts'
import { type JsonGiven, readGiven } from './read-parameters.ts'

export const JSON_SURFACE: Surface<JsonGiven, object> = {
  read: readGiven,
  answer: envelope,
  failures: ERROR_ENVELOPE,
  bug: { phrase: 'search failed', code: 'search.internal' },
  isCounted: true,
}

export const ALL_TIME: TimeWindow = { startMs: null, endMs: null }

/** What the audit log tells of a call: filled in as far as it is read. */
export type Heard = { query: string; window: TimeWindow; searchId: string | undefined }

export function auditRead(
  name: string,
  { asked, signedIn }: EdgeCall<JsonGiven>,
  audit: SearchAudit,
): Heard {
  const heard: Heard = { query: '', window: ALL_TIME, searchId: undefined }
  asked.audit = (outcome) => {
    const { searchId, ...details } = heard
    audit.add({ action: `search.${name}`, target: searchId ?? '', details }, signedIn, outcome)
  }
  return heard
}
