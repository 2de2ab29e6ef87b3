// The entries of the audit log as events: of a form of their own, and of the product itself. No
// input makes this form, so nobody outside writes into the log (docs/decisions/0046). What alerts
// tell are entries, too, and go into a log of their own (docs/decisions/0091).
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import type { GuardedLog } from '../../schemas/names/guarded-logs.ts'
import { ALERTS_LOG, AUDIT_LOG, SYSTEM_FOLDER } from '../../schemas/names/log-path.ts'
import type { EventForm } from '../split/event-form.ts'

export const AUDIT_FORM = formOf(AUDIT_LOG)
export const ALERTS_FORM = formOf(ALERTS_LOG)
export const OWN_FORMS: readonly EventForm[] = [AUDIT_FORM, ALERTS_FORM]

/** No account of the database has this id. Its log is found by the writer, not by a split. */
export const AUDIT_ACCOUNT = accountOf(AUDIT_LOG)
const ALERTS_ACCOUNT = accountOf(ALERTS_LOG)

const OWN: readonly { form: EventForm; account: ListenerAccount; log: GuardedLog }[] = [
  { form: AUDIT_FORM, account: AUDIT_ACCOUNT, log: AUDIT_LOG },
  { form: ALERTS_FORM, account: ALERTS_ACCOUNT, log: ALERTS_LOG },
]

/** Undefined: the form of an input. */
export function ownAccountOfForm(form: string): ListenerAccount | undefined {
  for (const own of OWN) if (own.form.name === form) return own.account
  return undefined
}

/** Undefined: an account of the database. */
export function ownLogOfAccount(account: ListenerAccount): GuardedLog | undefined {
  if (account.id !== AUDIT_ACCOUNT.id) return undefined
  return OWN.find((own) => own.account === account)?.log
}

function formOf(name: GuardedLog): EventForm {
  return { name, messageKeys: () => ['message'], timeKeys: () => ['timestamp'] }
}

function accountOf(log: GuardedLog): ListenerAccount {
  return {
    id: 0,
    version: 0,
    name: SYSTEM_FOLDER,
    isEnabled: true,
    description: '',
    parentFolder: [SYSTEM_FOLDER],
    policyId: 1,
    appTags: [],
    logNamePrefix: log,
    sourceSplit: 'none',
    maskBitsV4: 24,
    maskBitsV6: 64,
    messageKeys: [],
    splitColumns: [],
    timeKey: null,
    timeZone: null,
    jsonParsingLevel: 2,
    templates: [],
  }
}
