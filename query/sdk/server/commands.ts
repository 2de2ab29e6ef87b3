// What each SDK command does. A command does what is slow first (hashing); the work it gives back runs inside one write
// transaction together with its audit entry. Inputs have passed the command's schema (schemas/sdk/sdk-commands.ts).
import type { z } from 'zod'
import type { Clock } from '../../../infra/clock.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import {
  addAccount,
  changeAccount,
  type ListenerAccountChange,
  removeAccount,
} from '../../../infra/metastore/accounts/listener-accounts.ts'
import { requireListeningNode } from '../../../infra/metastore/accounts/listening-nodes.ts'
import {
  readAllSettings,
  resetSetting,
  setSetting,
} from '../../../infra/metastore/settings/setting-changes.ts'
import {
  ensureAppTags,
  requireCollectionPolicy,
} from '../../../infra/metastore/tree/named-objects.ts'
import { inheritViewers, setViewers } from '../../../infra/metastore/tree/node-permissions.ts'
import { hashPassword } from '../../../infra/metastore/users/password.ts'
import { addUser, editUser, removeUser } from '../../../infra/metastore/users/user-changes.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import {
  describeFault,
  SDK_COMMANDS,
  type SdkCommandName,
  type SdkInput,
} from '../../../schemas/sdk/sdk-commands.ts'
import type { ReplayRejected } from './replay-rejected.ts'

/** Gives what the caller reads in the envelope's `response`. */
type CommandWork = (transaction: DatabaseTransaction) => Promise<unknown>

type CommandClock = Pick<Clock, 'nowMs' | 'randomBytes'>
export type CommandTools = CommandClock & {
  readonly replayRejected: ReplayRejected
  readonly acceptDamage: () => Promise<CommandWork>
}
type Command = (given: object, tools: CommandTools) => Promise<CommandWork>

export const COMMANDS: Readonly<Record<SdkCommandName, Command>> = {
  acceptDamage: checked(SDK_COMMANDS.acceptDamage.input, (_, tools) => tools.acceptDamage()),
  addListener: checked(SDK_COMMANDS.addListener.input, addListener),
  enableAccount: checked(SDK_COMMANDS.enableAccount.input, enableAccount),
  removeAccount: checked(SDK_COMMANDS.removeAccount.input, removeListenerAccount),
  replayRejected: checked(SDK_COMMANDS.replayRejected.input, replayRejected),
  securityUsers: checked(SDK_COMMANDS.securityUsers.input, securityUsers),
  setPermissions: checked(SDK_COMMANDS.setPermissions.input, setPermissions),
  settings: checked(SDK_COMMANDS.settings.input, settings),
}

/** Fails with sdk.argument, naming the argument. */
function checked<T>(
  schema: z.ZodType<T>,
  command: (input: T, tools: CommandTools) => Promise<CommandWork> | CommandWork,
): Command {
  return async (given, tools) => {
    const parsed = schema.safeParse(given)
    if (!parsed.success) throw new Failure('sdk.argument', describeFault(given, parsed.error))
    return command(parsed.data, tools)
  }
}

function addListener(input: SdkInput<'addListener'>, clock: CommandClock): CommandWork {
  return async (transaction) => {
    const change = await readAccountChange(transaction, input, clock.nowMs())
    if (input.update === true)
      return describeAccount(await changeAccount(transaction, clock, input.name, change))
    const { account, token } = await addAccount(transaction, clock, input.name, change)
    return { ...describeAccount(account), token }
  }
}

/** Only what was given. */
async function readAccountChange(
  transaction: DatabaseTransaction,
  input: SdkInput<'addListener'>,
  nowMs: number,
): Promise<ListenerAccountChange> {
  const { collectionPolicy, appTags, timeKey, listeningNode } = input
  return {
    isEnabled: input.enabled,
    description: input.description,
    parentFolder: input.parentFolder,
    policyId:
      collectionPolicy === undefined
        ? undefined
        : await requireCollectionPolicy(transaction, collectionPolicy),
    appTags: appTags === undefined ? undefined : await ensureAppTags(transaction, appTags),
    logNamePrefix: input.logNamePrefix,
    sourceSplit: input.splitBySource,
    maskBitsV4: input.ipMask,
    maskBitsV6: input.ipMaskV6,
    messageKeys: input.messageKeys,
    splitColumns: input.splitColumns,
    timeKey: timeKey === '' ? null : timeKey,
    timeZone: input.timeZone,
    jsonParsingLevel: input.jsonParsingLevel,
    listeningNode:
      typeof listeningNode === 'string'
        ? await requireListeningNode(transaction, listeningNode, nowMs)
        : listeningNode,
  }
}

function enableAccount(input: SdkInput<'enableAccount'>, clock: CommandClock): CommandWork {
  return async (transaction) =>
    describeAccount(
      await changeAccount(transaction, clock, input.name, { isEnabled: input.enabled }),
    )
}

function removeListenerAccount(input: SdkInput<'removeAccount'>, clock: CommandClock): CommandWork {
  return async (transaction) => {
    await removeAccount(transaction, clock, input.name)
    return { name: input.name, removed: true }
  }
}

/** Done before the transaction, which holds the audit entry: a call that is repeated sends nothing twice. */
async function replayRejected(
  input: SdkInput<'replayRejected'>,
  { replayRejected: replay }: CommandTools,
): Promise<CommandWork> {
  const { reason, account, from: fromMs, to: toMs, limit = 10_000, dryRun = false } = input
  const summary = await replay({ reason, account, fromMs, toMs, limit, isDryRun: dryRun })
  return () => Promise.resolve({ ...summary, dryRun })
}

async function securityUsers(
  input: SdkInput<'securityUsers'>,
  clock: CommandClock,
): Promise<CommandWork> {
  const { action, userName, userPassword } = input
  if (action === 'remove')
    return async (transaction) => {
      await removeUser(transaction, clock, userName)
      return { userName, removed: true }
    }
  const passwordHash =
    userPassword === undefined ? undefined : await hashPassword(userPassword, clock)
  const change = {
    displayName: input.displayName,
    isEnabled: input.enabled,
    groups: input.groups,
    policy: input.policy,
  }
  return async (transaction) => {
    if (action === 'edit') await editUser(transaction, userName, { ...change, passwordHash })
    // The schema asks for the password with add.
    else await addUser(transaction, userName, { ...change, passwordHash: passwordHash ?? '' })
    return { userName }
  }
}

function setPermissions(input: SdkInput<'setPermissions'>): CommandWork {
  const place = { kind: input.type, levels: input.path }
  const path = ['ROOT', ...input.path].join(LEVEL_SEPARATOR)
  return async (transaction) => {
    if (input.inherit === true) {
      await inheritViewers(transaction, place)
      return { path, inherit: true }
    }
    const viewers = { groups: input.viewGroups ?? [], users: input.viewUsers ?? [] }
    await setViewers(transaction, place, viewers)
    return { path, viewGroups: viewers.groups, viewUsers: viewers.users }
  }
}

function settings(input: SdkInput<'settings'>): CommandWork {
  return async (transaction) => {
    const { get, set, reset, security, timeZone } = input
    if (reset !== undefined) await resetSetting(transaction, reset)
    if (set !== undefined) await setSetting(transaction, set.name, set.value)
    if (security !== undefined) await setSetting(transaction, 'system.security', String(security))
    if (timeZone !== undefined) await setSetting(transaction, 'system.timeZone', timeZone)
    const all = await readAllSettings(transaction)
    if (input.list === true) return all
    const names = [
      get,
      set?.name,
      reset,
      security === undefined ? undefined : 'system.security',
      timeZone === undefined ? undefined : 'system.timeZone',
    ].filter((name) => name !== undefined)
    return Object.fromEntries(names.map((name) => [name, all[name] ?? '']))
  }
}

function describeAccount(account: ListenerAccount) {
  return {
    name: account.name,
    version: account.version,
    enabled: account.isEnabled,
    parentFolder: account.parentFolder.join(LEVEL_SEPARATOR),
  }
}
