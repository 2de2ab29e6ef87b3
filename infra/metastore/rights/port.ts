// Who may do and see what, from memory (decisions 1.7, 4.9, 7.1).
import type { UserRecord } from '../../../schemas/users.ts'
import type { Membership } from '../dashboards/app-access.ts'
import type { NodeAccess } from './node-access.ts'

/** Whoever reads, as he signed in: with a narrower token he may not read the audit log, though his
 *  user may, and values are hidden from it that his user sees. */
export type Reader = Pick<UserRecord, 'id' | 'operations' | 'masks'>

export interface Rights {
  readonly users: {
    /** Letter case of the name does not count. Current as of this call; from memory while the
     *  database is away. Also disabled users. */
    find(name: string): Promise<UserRecord | undefined>
    /** As of the last look at the database (at most 1 s old). */
    byId(id: number): UserRecord | undefined
  }
  /** False: everybody acts as ANONYMOUS_USER (decision 1.7). */
  isSecurityOn(): boolean
  /**
   * Logs that the user may view; 'all' for administrators who may read the audit log and from whom
   * nothing is hidden. An unknown or
   * disabled user sees none. Current as of this call; the same set object until something changes.
   * `ANONYMOUS_USER` sees all while security is off, else none.
   */
  visibleLogs(reader: Reader): Promise<'all' | ReadonlySet<number>>
  /** What policies hide from the user, and from the way he signed in; as of the last
   *  `visibleLogs`, which holds a mark of it (masks-mark.ts). */
  masksOf(reader: Reader): readonly string[]
  /** Folders likewise: those that the user may view, and those above what he may view. */
  visibleFolders(reader: Reader): Promise<'all' | ReadonlySet<number>>
  /** What the user may view and edit, node by node; of the same moment as `visibleLogs`. */
  nodeAccess(reader: Reader): Promise<NodeAccess>
  /** For lists that name users and groups; undefined: nobody, who is on no list. */
  membership(reader: Reader): Promise<Membership | undefined>
}
