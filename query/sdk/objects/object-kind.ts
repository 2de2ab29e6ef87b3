// A kind of configurable object (docs/decisions/0042). Its document is the published arguments of
// the one command that makes and changes it, as texts: what is generic (list, export, import,
// duplicate, remove, apply) runs that command and is written once.
//
// A command of a kind asks what other objects there are in its transaction, not while it prepares:
// in one import the object that it names may be made by the command before it.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { Membership } from '../../../infra/metastore/dashboards/app-access.ts'
import type { ObjectType } from '../../../schemas/object-types.ts'
import type { SdkCommandName } from '../../../schemas/sdk/commands.ts'

/** Argument -> text, as a caller would write it. */
export type ObjectArguments = Readonly<Record<string, string>>

export type ObjectRef = { readonly type: ObjectType; readonly name: string }

/** What the caller may view. */
export type ObjectViewer = {
  readonly folders: 'all' | ReadonlySet<number>
  readonly logs: 'all' | ReadonlySet<number>
  /** Who it is, for lists of apps; absent: all of them. */
  readonly membership?: Membership | 'nobody'
  /** May read the alerts of all monitors, and so know of these. */
  readonly readsAllAlerts?: boolean
}

export type DescribedObject = {
  /** As it was first spelled; unique among the objects of its kind. */
  readonly name: string
  /** Every argument that its command takes, with the value in force; no secret. */
  readonly arguments: ObjectArguments
  /** What it has and the arguments leave out, by name. */
  readonly secrets?: readonly string[]
  /** `product`: built in. `data`: made by data that came in, and nothing was set by hand. Neither
   *  is written by exportAll or removed by -prune. Default: an operator's. */
  readonly origin?: 'product' | 'data'
  /** Of a built-in one: an operator's of the same name takes its place. */
  readonly isReplaceable?: boolean
  /** -prune never removes it. */
  readonly isAlwaysThere?: boolean
}

export type ObjectRemoval =
  /** The command that removes it. */
  | { readonly command: SdkCommandName; arguments(name: string): ObjectArguments }
  /** By removeObject, in its transaction. Fails with object.not_found, object.built_in
   *  and whatever keeps it. */
  | {
      /** `viewer`: whose the call is, who is told only of what he may view. */
      remove(
        transaction: DatabaseTransaction,
        name: string,
        nowMs: number,
        viewer: ObjectViewer,
      ): Promise<void>
    }

export type ObjectKind = {
  readonly type: ObjectType
  /** Makes and changes it. */
  readonly command: SdkCommandName
  /** Added to the document to make one; default nothing. */
  readonly make?: ObjectArguments
  /** Added to the document to change one; default `update`. */
  readonly change?: ObjectArguments
  /** Arguments that say what to do, beside those of `make` and `change`: in no document. */
  readonly notOfIt?: readonly string[]
  /** Letter case tells two apart. */
  readonly isCaseSensitive?: boolean
  /** Whoever may view one may read it; default: the operation of the command is needed. */
  readonly isReadByViewers?: boolean
  /** Keys of the command's answer that are shown once, such as a token. */
  readonly shownOnce?: readonly string[]
  /** The name that these arguments, which the command's schema has accepted, give it. */
  nameOf(given: ObjectArguments): string
  /** The same document under another name; undefined: this kind cannot be duplicated. */
  rename(given: ObjectArguments, newName: string): ObjectArguments | undefined
  /** What must be there before it, as far as the arguments name it. */
  needs?(given: ObjectArguments): readonly ObjectRef[]
  /** All that the caller may know of, by name. */
  readAll(
    transaction: DatabaseTransaction,
    viewer: ObjectViewer,
  ): Promise<readonly DescribedObject[]>
  readonly removal: ObjectRemoval
  /** What becomes of data when one is removed, as a sentence; absent: data is not touched. */
  readonly dataAfterRemoval?: string
}
