// Who calls: by which credential, for which organization, in which role.
import { Failure } from '../../schemas/failures.ts'
import type { PersonRole } from '../../schemas/portal/roles.ts'
import type { Scope } from '../../schemas/portal/scopes.ts'

export type Caller =
  | { readonly kind: 'nobody' }
  /** A token of the vendor's staff; it acts for the organization that the call names. */
  | { readonly kind: 'operator'; readonly id: string; readonly organizationId: string | undefined }
  | {
      readonly kind: 'session'
      readonly id: string
      readonly personId: string
      /** Undefined: the person is of none. */
      readonly organizationId: string | undefined
      readonly role: PersonRole | undefined
      /** Of the vendor's staff, and for the vendor itself. */
      readonly actsForVendor: boolean
      /** By cookie: calls that write show a token. */
      readonly isCookie: boolean
      /** Of the credential itself, for the CSRF token. */
      readonly secret: string
      readonly expiresMs: number
    }
  | {
      readonly kind: 'api_key'
      readonly id: string
      readonly organizationId: string
      readonly scopes: readonly Scope[]
    }
  | {
      readonly kind: 'deployment'
      readonly id: string
      readonly deploymentId: string
      readonly organizationId: string
    }
  | {
      readonly kind: 'license'
      readonly id: string
      readonly licenseId: string
      readonly organizationId: string
      readonly isRevoked: boolean
    }

/** Which callers a route takes; the document tells it. */
export type Allows = {
  /** A call that shows no credential. */
  readonly nobody?: true
  /** Beside `nobody`: whatever credential in force is shown with it. */
  readonly everybody?: true
  readonly license?: true
  readonly deployment?: true
  /** Of a session. */
  readonly roles?: readonly PersonRole[]
  /** Of an API key. */
  readonly scope?: Scope
  readonly operator?: true
}

/** Roles of the vendor's staff, who act for every organization. */
export const STAFF = ['sales', 'operator'] as const satisfies readonly PersonRole[]
export const EVERY_ROLE = [
  'customer_viewer',
  'customer_admin',
  'sales',
  'channel',
  'operator',
] as const satisfies readonly PersonRole[]

/** Of the vendor: a token, or a person in that role. */
export function isOperator(caller: Caller): boolean {
  if (caller.kind === 'operator') return true
  return caller.kind === 'session' && caller.role === 'operator'
}

/** The same caller at every call, as limits, kept answers and the audit name it. */
export function nameCaller(caller: Caller, address: string): string {
  switch (caller.kind) {
    case 'nobody':
      return `address ${address}`
    case 'session':
      return `person ${caller.personId}`
    case 'deployment':
      return `deployment ${caller.deploymentId}`
    default:
      return `${caller.kind} ${caller.id}`
  }
}

export function organizationOf(caller: Caller): string | undefined {
  return caller.kind === 'nobody' ? undefined : caller.organizationId
}

/** Fails with portal.organization_needed. */
export function requireActing(caller: Caller): string {
  const id = organizationOf(caller)
  if (id === undefined) throw new Failure('portal.organization_needed')
  return id
}

/** Id of the person who calls; null: a program, or nobody. */
export function personOf(caller: Caller): string | null {
  return caller.kind === 'session' ? caller.personId : null
}

/** Whose things lists tell; undefined: those of all, for the vendor's staff who act for nobody or
 *  for the vendor itself, which has none (docs/decisions/0107). */
export function listedOf(caller: Caller): string | undefined {
  if (caller.kind === 'operator') return caller.organizationId
  if (caller.kind === 'session' && caller.actsForVendor) return undefined
  return organizationOf(caller) ?? ''
}

/** In words, for the document. */
export function describeAllows({
  nobody,
  everybody,
  license,
  deployment,
  roles,
  scope,
  operator,
}: Allows): string {
  if (everybody) return 'Callers: everybody, with any credential or none.'
  const callers = [
    ...(nobody ? ['everybody'] : []),
    ...(license ? ['a licence key'] : []),
    ...(deployment ? ['a deployment token'] : []),
    ...(roles === undefined ? [] : [`a session of the roles ${roles.join(', ')}`]),
    ...(scope === undefined ? [] : [`an API key with the scope ${scope}`]),
    ...(operator ? ['an operator token'] : []),
  ]
  return `Callers: ${callers.join('; ')}.`
}
