// What the generic commands of objects need of the call that they are in.
import { mayDo } from '../../../infra/access/may-do.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Change } from '../../../infra/metastore/run-within-rights.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { EventPath } from '../../../schemas/rights/sees.ts'
import type { CommandEntry } from '../../../schemas/sdk/argument.ts'
import { SDK_COMMANDS, type SdkCommandName } from '../../../schemas/sdk/commands.ts'
import type { Operation, UserRecord } from '../../../schemas/users.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { ObjectArguments, ObjectKind, ObjectViewer } from '../objects/object-kind.ts'
import type { CommandWork } from './serve-command.ts'

export type ObjectTools = {
  /** What the caller may view. */
  viewer(): Promise<ObjectViewer>
  /** Fails with rights.missing where the caller may not know of such objects. */
  requireReading(kind: ObjectKind): void
  /** Fails with rights.missing where the caller may change objects of no type: nobody else has a
   *  file read, which keeps the process at work. */
  requireChangingSome(): void
  /** Fails with rights.missing where the caller may not call this command; what is done counts as
   *  done by it. */
  requireChanging(command: SdkCommandName): void
  /** The command as if the caller had called it, its audit entry included. Fails with
   *  rights.missing, sdk.argument. */
  prepare(command: SdkCommandName, given: ObjectArguments): Promise<CommandWork<unknown>>
}

/** Gathered while a call is prepared, of all commands that it consists of. */
export type GatheredChange = Change & {
  readonly operations: (readonly Operation[])[]
  readonly paths: Set<EventPath>
}

export function makeObjectTools(
  metastore: OpenedMetastore,
  user: UserRecord,
  change: GatheredChange,
  prepare: ObjectTools['prepare'],
): ObjectTools {
  return {
    viewer: async () => ({
      folders: await metastore.visibleFolders(user),
      logs: await metastore.visibleLogs(user),
      membership: (await metastore.membership(user)) ?? 'nobody',
      readsAllAlerts: mayDo(user, 'system.alerts'),
    }),
    requireReading: ({ command, isReadByViewers = false }) => {
      if (!isReadByViewers) requireOperation(user, SDK_COMMANDS[command])
    },
    requireChangingSome: () => {
      const may = Object.values(OBJECT_KINDS).some(({ command }) =>
        mayCall(user, SDK_COMMANDS[command]),
      )
      if (!may) throw new Failure('rights.missing')
    },
    requireChanging: (command) => {
      requireOperation(user, SDK_COMMANDS[command])
      noteChange(change, SDK_COMMANDS[command])
    },
    prepare,
  }
}

/** What the command is allowed by, and what it changes. */
export function noteChange({ operations, paths }: GatheredChange, entry: CommandEntry): void {
  const { operation, otherOperation, isDelegated, sees } = entry
  if (sees.kind === 'paths') for (const path of sees.paths) paths.add(path)
  if (operation === 'objects' || operation === 'signed-in' || isDelegated === true) return
  operations.push(otherOperation === undefined ? [operation] : [operation, otherOperation])
}

/** Fails with rights.missing. */
export function requireOperation(user: UserRecord, entry: CommandEntry): void {
  if (!mayCall(user, entry)) throw new Failure('rights.missing')
}

function mayCall(user: UserRecord, { operation, otherOperation }: CommandEntry): boolean {
  // `objects`: the command asks for each.
  if (operation === 'objects' || operation === 'signed-in' || mayDo(user, operation)) return true
  return otherOperation !== undefined && mayDo(user, otherOperation)
}
