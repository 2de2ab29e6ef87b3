// The form of an SDK command on the server. A command does what is slow first (hashing, a look at
// the store); the work that it gives back runs in one write transaction with its audit entry.
import type { z } from 'zod'
import type { CheckPassword } from '../../../infra/access/check-password.ts'
import type { SignedIn } from '../../../infra/access/signed-in.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { Database, DatabaseTransaction } from '../../../infra/database/port.ts'
import type { NamedFinding } from '../../../infra/doctor/check.ts'
import type { EventNodes } from '../../../infra/metastore/event-paths/event-nodes.ts'
import type { Concern } from '../../../infra/metastore/event-paths/port.ts'
import type { Settings } from '../../../infra/metastore/settings/port.ts'
import type { NodePlace } from '../../../infra/metastore/tree/find-node.ts'
import type { LogRecord } from '../../../infra/metastore/tree/port.ts'
import type { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import type { Store } from '../../../infra/store/port.ts'
import { Failure, type FailureCode, isFailure } from '../../../schemas/failures.ts'
import type { EventPath, Sees } from '../../../schemas/rights/sees.ts'
import type { CommandEntry } from '../../../schemas/sdk/argument.ts'
import { describeFault } from '../../../schemas/sdk/commands.ts'
import type { FindEvents } from './find-events.ts'
import type { LifecycleTools } from './lifecycle-tools.ts'
import type { TryMask } from './mask-tools.ts'
import type { MonitorTools } from './monitor-tools.ts'
import type { ObjectTools } from './object-tools.ts'
import type { PathTools } from './path-tools.ts'
import type { PatternTools } from './pattern-tools.ts'
import type { ReplayRejected } from './replay-events.ts'

export type CommandTools = MonitorTools & {
  readonly clock: Clock
  readonly database: Database
  /** Who calls, as he signed in. */
  readonly caller: SignedIn
  readonly checkPassword: CheckPassword
  /** Of the product. */
  readonly settings: Settings
  readonly store: Pick<Store, 'command' | 'query' | 'catchUp'>
  /** With what is being deleted. */
  readonly wholeStore: Pick<Store, 'query' | 'catchUp' | 'cluster'>
  readonly replayRejected: ReplayRejected
  readonly patterns: PatternTools
  readonly tryMask: TryMask
  /** What `doctor` finds for the caller. */
  readonly examine: () => Promise<readonly NamedFinding[]>
  readonly lifecycle: LifecycleTools
  readonly secretKeys: SecretKeys
  /** Of this machine, for answers. */
  readonly nodeName: string
  /** Fails with object.not_found where there is such a folder or log that the caller may not
   *  view. */
  readonly requireVisible: (place: NodePlace) => Promise<void>
  readonly objects: ObjectTools
  readonly paths: PathTools
  /** Fails with rights.unseen where the caller may not change what is about these. */
  readonly requireSight: (
    transaction: DatabaseTransaction,
    findConcerns: (nodes: EventNodes) => Promise<readonly Concern[]> | readonly Concern[],
  ) => Promise<void>
  /** Names of objects that the caller may not change, since they are about events. */
  readonly findFixed: (
    transaction: DatabaseTransaction,
    paths: readonly EventPath[],
  ) => Promise<ReadonlySet<string>>
  /** Of a dry run: within the same rights as the call. */
  readonly withinRights: <T>(transaction: DatabaseTransaction, work: () => Promise<T>) => Promise<T>
  /** Those that the caller may view. */
  readonly visibleLogs: () => Promise<readonly LogRecord[]>
  readonly findEvents: FindEvents
  /** Fails with object.not_found where logs have the tag and the caller may view none of them. */
  readonly requireVisibleTag: (name: string) => Promise<void>
  /** Of what is not there, the nearest folder above is asked about. Fails as requireVisible, and
   *  with rights.not_editable. */
  readonly requireEditable: (place: NodePlace) => Promise<void>
  /** Fails with rights.missing where something in the folder is not the caller's to edit. */
  readonly requireEditableBelow: (levels: readonly string[]) => Promise<void>
}

/** Gives what the caller reads in the envelope's `response`. */
export type CommandWork<Answer> = (transaction: DatabaseTransaction) => Promise<Answer>

/** Done when the transaction has committed, and then the answer. */
export class Afterwards<Answer> {
  readonly finish: () => Promise<Answer>

  constructor(finish: () => Promise<Answer>) {
    this.finish = finish
  }
}

export type ServedCommand<Name extends string> = {
  readonly name: Name
  /** Fails with sdk.argument, naming the argument. */
  prepare(given: object, tools: CommandTools): Promise<CommandWork<unknown>>
}

/** How failures of what the command asks for are told to its caller. */
export type Telling = {
  /** Property of an object -> argument of this command, where they have different names. */
  readonly arguments?: Readonly<Record<string, string>>
  /** What the caller can do about it. */
  readonly hints?: { readonly [Code in FailureCode]?: string }
}

type Published<Name extends string, Input, Answer> = CommandEntry & {
  readonly name: Name
  readonly input: z.ZodType<Input>
  readonly answer: z.ZodType<Answer>
}

type Run<Input, Answer> = (
  input: Input,
  tools: CommandTools,
) => Promise<CommandWork<Answer>> | CommandWork<Answer>

/** What a command that acts on events is about (`sees` of its entry); nothing where there is no
 *  such thing, which its work says. */
type FindConcerns<Input> = (
  input: Input,
  transaction: DatabaseTransaction,
  nodes: EventNodes,
) => Promise<readonly Concern[]> | readonly Concern[]

/** `entry` is what is published of the command, `run` gets its checked input. */
export function serveCommand<const Name extends string, Input, Answer>(
  entry: Published<Name, Input, Answer> & { readonly sees: Exclude<Sees, { kind: 'act' }> },
  run: Run<Input, Answer>,
  telling: Telling = {},
): ServedCommand<Name> {
  return serve(entry, run, telling)
}

/** A command that acts on events by itself: `findConcerns` is asked in the transaction, before its
 *  work. */
export function serveAct<const Name extends string, Input, Answer>(
  entry: Published<Name, Input, Answer> & { readonly sees: { readonly kind: 'act' } },
  run: Run<Input, Answer | Afterwards<Answer>>,
  findConcerns: FindConcerns<Input>,
  telling: Telling = {},
): ServedCommand<Name> {
  return serve(entry, run, telling, findConcerns)
}

function serve<Name extends string, Input, Answer>(
  entry: Published<Name, Input, Answer>,
  run: Run<Input, unknown>,
  telling: Telling,
  findConcerns?: FindConcerns<Input>,
): ServedCommand<Name> {
  return {
    name: entry.name,
    prepare: async (given, tools) => {
      const parsed = entry.input.safeParse(given)
      if (!parsed.success) throw new Failure('sdk.argument', describeFault(given, parsed.error))
      const work = await run(parsed.data, tools)
      return async (transaction) => {
        try {
          if (findConcerns !== undefined)
            await tools.requireSight(transaction, (nodes) =>
              findConcerns(parsed.data, transaction, nodes),
            )
          return await work(transaction)
        } catch (error) {
          throw tell(error, telling)
        }
      }
    },
  }
}

function tell(error: unknown, telling: Telling): unknown {
  if (!isFailure(error)) return error
  const { code, details } = error
  if (code === 'object.invalid') {
    const property = String(details.property)
    const argument = telling.arguments?.[property] ?? property
    return new Failure('sdk.argument', { argument, reason: String(details.reason) }, error)
  }
  const hint = telling.hints?.[code]
  return hint === undefined ? error : new Failure(code, { ...details, hint }, error)
}
