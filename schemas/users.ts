// Users, groups and policies of the product (decisions 7.1-7.3).
// A policy says which operations a user may do; which logs he sees is set on folders and logs.
import { z } from 'zod'

/** What a policy can allow, as a tree: choosing a parent chooses all below it. Nothing chosen: view
 *  folders and logs, nothing else. */
export const OPERATION_TREE = {
  system: 'all of system',
  'system.settings': 'read and change product settings',
  'system.security': 'users, groups, policies, and who may view and edit folders and logs',
  'system.audit': 'read the audit log',
  'system.alerts': 'read the alerts of all monitors, and the log of alerts',
  'system.operate':
    'health in detail and metrics; accepting damage; archives and holds of logs that the user may view',
  data: 'all of data',
  'data.listeners':
    'listener accounts and templates, of events that the user may view; trying out patterns',
  'data.accounts':
    'accounts of the address book, and trying them out; those in use, of events that the user may view',
  'data.logs': 'make, change and remove folders and logs that the user may edit',
  'data.policies': 'collection policies, of events that the user may view',
  'data.appTags': 'app tags',
  'data.tasks': 'tasks that collect',
  'data.dashboards': 'make, change and remove apps and dashboards that the user may edit',
  'data.monitors': 'make, change and remove own monitors; acknowledge and mute their alerts',
  search: 'all of search',
  'search.cancelAll': 'cancel the searches of others',
} as const
export type Operation = keyof typeof OPERATION_TREE

export const OPERATIONS = Object.keys(OPERATION_TREE).filter(isOperation)

export function isOperation(text: string): text is Operation {
  return Object.hasOwn(OPERATION_TREE, text)
}

export const ALL_OPERATIONS = '*'

/** Built in (decision 7.2). Ids below 100 are ours, the sequences begin there. */
export const POLICY_ADMINISTRATORS = { id: 1, name: 'administrators' } as const
export const POLICY_VIEW_ONLY = { id: 2, name: 'view only' } as const
export const GROUP_ADMINISTRATORS = { id: 1, name: 'administrators' } as const
/** Everybody is in it without a row. */
export const GROUP_EVERYONE = { id: 2, name: 'everyone' } as const
export const ADMIN_USER_NAME = 'admin'

export type UserRecord = {
  readonly id: number
  readonly name: string
  readonly displayName: string
  /** '' for anonymous: no password opens it. */
  readonly passwordHash: string
  /** Rises with every change of the user; remembered credentials are good for one version. */
  readonly version: number
  readonly isEnabled: boolean
  /** Sees everything and may do everything. */
  readonly isAdministrator: boolean
  /** Effective: own policy and those of the groups, with what lies below each. */
  readonly operations: ReadonlySet<Operation>
  /** What policies hide from the user (schemas/masking/view-masks.ts), each once, in order. */
  readonly masks: readonly string[]
}

/** Who acts while security is off (decision 1.7). */
export const ANONYMOUS_USER: UserRecord = {
  id: 0,
  name: 'anonymous',
  displayName: 'anonymous',
  passwordHash: '',
  version: 0,
  isEnabled: true,
  isAdministrator: true,
  operations: new Set(OPERATIONS),
  masks: [],
}

/** `system` -> system, system.settings, system.security …; `*` -> all. */
export function expandOperations(chosen: Iterable<string>): Set<Operation> {
  const wanted = [...chosen]
  return new Set(
    OPERATIONS.filter((operation) =>
      wanted.some(
        (one) => one === ALL_OPERATIONS || one === operation || operation.startsWith(`${one}.`),
      ),
    ),
  )
}

/** The shortest choice that means the same: what lies below a chosen one is left out. */
export function shortenOperations(chosen: readonly Operation[]): Operation[] {
  return OPERATIONS.filter(
    (operation) =>
      chosen.includes(operation) && !chosen.some((one) => operation.startsWith(`${one}.`)),
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const noControl = (text: string) => !CONTROL.test(text)

/** Name of a user, group or account: shown in addresses, lists and audit lines. Letter case does
 *  not tell two apart. */
export const objectNameSchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .refine(noControl, 'must hold no control character')

/** HTTP Basic ends the name at the first colon. */
export const userNameSchema = objectNameSchema.refine(
  (name) => !name.includes(':'),
  'must hold no colon',
)

const MIN_PASSWORD_CHARACTERS = 8

export const passwordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `must have at least ${MIN_PASSWORD_CHARACTERS} characters`)
  .max(1024, 'must have at most 1024 characters')
