// An entry of the audit log as an event: what the row keeps, and no more. Its text is part of what
// makes a repeat the same request: an entry must be printed alike at each try.
import type { AuditRow } from '../../infra/database/rows/access-tables.ts'
import { isAlertAction } from '../../schemas/monitors/alert-entry.ts'

export function printAuditEvent(row: AuditRow): string {
  if (isAlertAction(row.action)) return printAlertEvent(row)
  const { user_name: user, action, target: object, result, address } = row
  const what = object === '' ? action : `${action} ${object}`
  return JSON.stringify({
    timestamp: new Date(Number(row.at_ms)).toISOString(),
    message: `${user}: ${what}: ${result}`,
    user,
    // Without it nobody was signed in: then `user` is the name that was tried.
    ...(row.user_id === null ? {} : { userId: Number(row.user_id) }),
    action,
    object,
    result,
    address,
    // What was called: search, sdk, session, sign-in, machine.
    surface: action.split('.', 1)[0],
    // Its number in the database.
    entry: Number(row.id),
    details: readDetails(row.details),
  })
}

/** Its columns are those that the entry has as details; its message is the target. */
function printAlertEvent(row: AuditRow): string {
  return JSON.stringify({
    ...Object(readDetails(row.details)),
    timestamp: new Date(Number(row.at_ms)).toISOString(),
    message: row.target,
    event: row.action.slice(row.action.indexOf('.') + 1),
    user: row.user_name,
    entry: Number(row.id),
  })
}

function readDetails(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
