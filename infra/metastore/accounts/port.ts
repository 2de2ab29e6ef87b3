// Listener accounts, from memory over the database.
import type { ListenerAccount } from '../../../schemas/listener-account.ts'

export interface ListenerAccounts {
  /**
   * From memory; enabled accounts only. undefined: not accepted. Known tokens go on while the
   * database is away; then an unknown one throws database.unavailable, since it may have been made
   * meanwhile (decision 2.3).
   */
  accountByToken(token: string): ListenerAccount | undefined
  /** Any version ever made, also of removed accounts; below 0 is the log of that number, whose
   *  events come from files. Fails with object.not_found. */
  accountVersion(id: number, version: number): Promise<ListenerAccount>
}
