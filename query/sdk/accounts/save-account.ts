// How each command of the address book makes or changes its account: what is given is laid over
// what is there, checked, with -verify tried, and stored when nobody was quicker.
import type { z } from 'zod'
import {
  addBookAccount,
  type BookAccount,
  changeBookAccount,
  findBookAccount,
  openSecrets,
  type Secrets,
  secretNames,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import {
  BOOK_ACCOUNT_KINDS,
  type BookAccountKind,
  type BookAccountSettings,
} from '../../../schemas/address-book.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { CommandTools, CommandWork } from '../server/serve-command.ts'

export type Verified<S> = {
  /** What was seen, for the answer. */
  readonly facts: readonly string[]
  /** What is to be remembered of it. */
  readonly settings?: S | undefined
}

export type AccountForm<S extends BookAccountSettings> = {
  readonly kind: BookAccountKind
  readonly schema: z.ZodType<S>
  /** '' and undefined as in BookAccountChange. */
  readonly secrets: Secrets
  /** What is given, over what was there. */
  readonly settings: (before: S | undefined) => S
  /** Whether a password of the one would be sent to the same place by the other. */
  readonly isSamePlace: (before: S, after: S) => boolean
  /** Fails as PathTools do, before anything is looked at. */
  readonly requirePaths?: (settings: S) => void
  /** Fails with sdk.argument. */
  readonly check?: (settings: S, secrets: Secrets) => Promise<void>
  /** Fails with sdk.argument, or with a reason of object.not_verified. */
  readonly verify: (
    settings: S,
    secrets: Secrets,
  ) => Promise<Verified<S> | { readonly failed: string }>
  readonly notes?: (settings: S, secrets: readonly string[]) => string[]
}

export type CommonInput = {
  readonly name: string
  readonly description?: string | undefined
  readonly enabled?: boolean | undefined
  readonly update?: boolean | undefined
  readonly verify?: boolean | undefined
}

export type SavedAccount<S> = {
  readonly answer: {
    readonly name: string
    readonly kind: string
    readonly version: number
    readonly enabled: boolean
    readonly secrets: string[]
    readonly verified?: string[]
    readonly notes: string[]
  }
  readonly settings: S
}

/** `object.exists` is told with what to do about it. */
export const TELLING = { hints: { 'object.exists': 'give -update true to change it' } } as const

export async function saveAccount<S extends BookAccountSettings>(
  { name, description, enabled: isEnabled, update, verify }: CommonInput,
  form: AccountForm<S>,
  { database, clock, secretKeys: keys }: CommandTools,
): Promise<CommandWork<SavedAccount<S>>> {
  const { kind, secrets } = form
  const before = update === true ? await findForUpdate() : undefined
  const isSecretGiven = Object.values(secrets).some((text) => text !== undefined)
  let settings = form.settings(before && form.schema.parse(before.settings))
  form.requirePaths?.(settings)
  if (before !== undefined) requirePasswordAgain(before)
  const merged: Secrets =
    before === undefined || !(isSecretGiven || verify === true)
      ? secrets
      : { ...openSecretsBeside(before), ...withoutUndefined(secrets) }
  if (isSecretGiven || verify === true) await form.check?.(settings, merged)
  const seen = verify === true ? await form.verify(settings, merged) : undefined
  if (seen !== undefined && 'failed' in seen)
    throw new Failure('object.not_verified', {
      ...{ kind: BOOK_ACCOUNT_KINDS[kind], name },
      reason: seen.failed,
    })
  settings = seen?.settings ?? settings
  const isSealing = Object.values(secrets).some((text) => text !== undefined && text !== '')
  const key = isSealing ? await keys.current(database.read) : undefined
  const change = { description, isEnabled, settings, secrets }

  return async (transaction) => {
    const sealing = { clock, keys, key }
    const account =
      before === undefined
        ? await addBookAccount(transaction, sealing, { kind, name, ...change })
        : await changeBookAccount(transaction, sealing, before, change)
    const names = secretNames(account)
    return {
      answer: {
        name: account.name,
        kind: BOOK_ACCOUNT_KINDS[kind],
        version: account.version,
        enabled: account.isEnabled,
        secrets: [...names],
        ...(seen === undefined ? {} : { verified: [...seen.facts] }),
        notes: form.notes?.(settings, names) ?? [],
      },
      settings,
    }
  }

  async function findForUpdate(): Promise<BookAccount> {
    const found = await findBookAccount(database.read, name)
    if (found?.kind !== kind)
      throw new Failure('object.not_found', { kind: BOOK_ACCOUNT_KINDS[kind], name })
    return found
  }

  /** Or whoever may change accounts would have the password sent to a machine of his own. */
  function requirePasswordAgain({ settings: kept, sealed }: BookAccount): void {
    if (secrets.userPassword !== undefined || sealed.userPassword === undefined) return
    if (form.isSamePlace(form.schema.parse(kept), settings)) return
    const reason = 'is needed again, or empty for none: it was given for another address'
    throw new Failure('sdk.argument', { argument: 'userPassword', reason })
  }

  /** Those that are given anew need not be readable: so a lost key is got over. */
  function openSecretsBeside(account: BookAccount): Secrets {
    const given = withoutUndefined(secrets)
    const rest = Object.entries(account.sealed).filter(([field]) => !(field in given))
    return openSecrets({ ...account, sealed: Object.fromEntries(rest) }, keys)
  }
}

function withoutUndefined(secrets: Secrets): Secrets {
  return Object.fromEntries(Object.entries(secrets).filter(([, text]) => text !== undefined))
}
