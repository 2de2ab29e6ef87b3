// Every way a request can fail, once: code, HTTP status, search code, text. Codes never change.
// A failure is added in the file of its area (schemas/failures/). A new area is a file there, a
// line here and a heading in infra/scripts/print-failures.ts.
// The wire carries the part after the dot. `retriable` says that the same call may succeed later
// (infra/retry.ts). Engines' texts never stand here and never reach an answer: they quote user
// rows.

import { DASHBOARD_FAILURES } from './failures/dashboard.ts'
import { DATABASE_FAILURES } from './failures/database.ts'
import { EVENT_LOG_FAILURES } from './failures/event-log.ts'
import type { FailureEntry } from './failures/failure-entry.ts'
import { HTTP_FAILURES } from './failures/http.ts'
import { BACKUP_FAILURES } from './failures/keep/backup.ts'
import { EVIDENCE_FAILURES } from './failures/keep/evidence.ts'
import { PATCH_FAILURES } from './failures/keep/patch.ts'
import { ARCHIVE_FAILURES, RETENTION_FAILURES } from './failures/keep/retention.ts'
import { LICENSE_FAILURES } from './failures/license.ts'
import { LIFECYCLE_FAILURES } from './failures/lifecycle.ts'
import { LISTENER_FAILURES } from './failures/listener.ts'
import { MONITOR_FAILURES } from './failures/monitor.ts'
import { OBJECT_FAILURES } from './failures/object.ts'
import { MAIL_FAILURES } from './failures/outside/mail.ts'
import { OBJECT_STORE_FAILURES } from './failures/outside/object-store.ts'
import { PORTAL_FAILURES } from './failures/portal.ts'
import { REPORT_FAILURES } from './failures/report.ts'
import { REQUEST_FAILURES } from './failures/request.ts'
import { RIGHTS_FAILURES } from './failures/rights.ts'
import { SDK_FAILURES } from './failures/sdk.ts'
import { SEARCH_FAILURES } from './failures/search.ts'
import { SECRETS_FAILURES } from './failures/secrets.ts'
import { SIGN_IN_FAILURES } from './failures/sign-in.ts'
import { START_FAILURES } from './failures/start.ts'
import { STORE_FAILURES } from './failures/store.ts'

export const FAILURES = {
  ...LISTENER_FAILURES,
  ...EVENT_LOG_FAILURES,
  ...STORE_FAILURES,
  ...DATABASE_FAILURES,
  ...SIGN_IN_FAILURES,
  ...RIGHTS_FAILURES,
  ...SEARCH_FAILURES,
  ...HTTP_FAILURES,
  ...START_FAILURES,
  ...OBJECT_FAILURES,
  ...SECRETS_FAILURES,
  ...SDK_FAILURES,
  ...BACKUP_FAILURES,
  ...LICENSE_FAILURES,
  ...LIFECYCLE_FAILURES,
  ...REQUEST_FAILURES,
  ...PORTAL_FAILURES,
  ...MAIL_FAILURES,
  ...OBJECT_STORE_FAILURES,
  ...DASHBOARD_FAILURES,
  ...RETENTION_FAILURES,
  ...ARCHIVE_FAILURES,
  ...MONITOR_FAILURES,
  ...REPORT_FAILURES,
  ...EVIDENCE_FAILURES,
  ...PATCH_FAILURES,
} as const

export type FailureCode = keyof typeof FAILURES
/** `listener`, `store`, … */
export type FailureArea = FailureCode extends `${infer Area}.${string}` ? Area : never
export type FailureDetails = Readonly<Record<string, string | number>>

/** A failure that somebody could name. Thrown with `new Failure('area.what', details, cause)`.
 *  A surface may add `details.hint`: what its reader can do, said after the text. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, details: FailureDetails = {}, cause?: unknown) {
    const text = formatMessage(FAILURES[code].message, details)
    super(details.hint === undefined ? text : `${text}, ${details.hint}`, { cause })
    this.name = 'Failure'
    this.code = code
    this.details = details
  }

  get entry(): FailureEntry {
    return FAILURES[this.code]
  }
}

/** True also for a Failure made by another copy of this module. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === 'Failure' && 'code' in error
}

function formatMessage(template: string, details: FailureDetails): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole))
}
