// Where events and alerts go, as it is before and after a change (docs/decisions/0137).
import type { Operation } from '../../../schemas/users.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { NodeId } from '../rights/node-access.ts'
import type { NodePlace } from '../tree/find-node.ts'
import type { EventNodes } from './event-nodes.ts'

type Asks = 'view' | 'edit'

/** What somebody must hold who changes an entry. */
export type Concern =
  /** A folder with all below it, or a log, removed ones too; of what is not there, the nearest
   *  folder above, by itself. */
  | { readonly kind: 'place'; readonly place: NodePlace; readonly asks: Asks }
  | { readonly kind: 'node'; readonly node: NodeId; readonly asks: Asks }
  /** Of what notifies with the rights of this user; `orBy` is enough instead. */
  | { readonly kind: 'owner'; readonly userId: number; readonly orBy?: Operation }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'administrator' }

export type PathEntry = {
  /** Whatever counts, as text: another one is a change. */
  readonly mark: string
  /** In words, for whoever changed it: `the listener account Default`. */
  readonly name: string
  /** Of what is there and listed as an object, by that name. */
  readonly object?: string
  /** Asked of an entry before and after its change. */
  readonly concerns: () => readonly Concern[]
  /** Asked of an entry after its change alone. */
  readonly gained?: readonly Concern[]
}

/** By kind and id, unique over all paths. */
export type PathState = ReadonlyMap<string, PathEntry>

export type ReadPaths = (
  transaction: DatabaseTransaction,
  nodes: EventNodes,
) => Promise<PathState> | PathState
