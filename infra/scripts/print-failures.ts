// The page docs/failures.md, printed from the failure table (schemas/failures.ts).
// A test keeps the file current.
import type { FailureEntry } from '../../schemas/failures/failure-entry.ts'
import { FAILURES, type FailureArea } from '../../schemas/failures.ts'

/** In the order of the page: each area with where its failures are met. */
const AREAS: Readonly<Record<FailureArea, string>> = {
  listener: 'Answers of the ingest endpoint',
  event_log: 'The event log; senders meet it as a `listener` failure',
  store: 'The store; a search shows it by its code',
  database: 'The database of accounts, users, folders and settings',
  sign_in: 'Sign-in',
  rights: 'Rights',
  search: 'Answers of a search',
  http: 'The HTTP server, at the start',
  start: 'The start of the product',
  object: 'Accounts, users, groups, policies, folders and logs, on every surface',
  secrets: 'Secrets of accounts and the file with their keys',
  sdk: 'Commands of `logeye-sdk`',
  backup: 'Backup and restore',
  retention: 'Retention, legal holds and deletion',
  archive: 'Archives and thaws',
  evidence: 'Tamper evidence',
  patch: 'Patches of the product',
  license: 'The licence',
  lifecycle: 'Restart',
  request: 'Everything else that answers over HTTP',
  mail: 'Sending mail',
  object_store: 'Where files are kept: a folder or a bucket',
  dashboard: 'Apps and dashboards',
  monitor: 'Monitors and alerts',
  report: 'Reports by mail',
  portal: 'Answers of the portal; the part after the dot is the `code` of the problem',
}

export function printFailures(): string {
  const entries: [string, FailureEntry][] = Object.entries(FAILURES)
  return [
    INTRODUCTION,
    ...Object.entries(AREAS).flatMap(([area, heading]) => [
      `## ${area}`,
      '',
      `${heading}.`,
      '',
      '| code | status | search | ingest | again? | text |',
      '|---|---|---|---|---|---|',
      ...entries.filter(([code]) => code.startsWith(`${area}.`)).map(printRow),
      '',
    ]),
  ].join('\n')
}

const INTRODUCTION = `# Failures

<!-- Printed from schemas/failures.ts; write it anew with: npx tsx infra/scripts/write-failures.ts -->

Every way in which a request, a command or the start can fail, once. Codes never change; they stand in the logs and in the audit
log, and the part after the dot in answers that carry codes. \`{name}\` in a text is filled in. What nobody could name is
answered as an internal error and logged.

* *status*: of the HTTP answer; a search that fails still answers 200 unless sign-in failed (401) or the service cannot answer (503).
* *search*: code of the \`Message\` in a search answer. *ingest*: \`code\` in the body of an ingest answer.
* *again?*: the same call may succeed later.
`

function printRow([code, entry]: [string, FailureEntry]): string {
  const { status, search, ingest, retriable, message } = entry
  const cells = [`\`${code}\``, status, search ?? '', ingest ?? '', retriable ? 'yes' : '', message]
  return `| ${cells.join(' | ')} |`
}
