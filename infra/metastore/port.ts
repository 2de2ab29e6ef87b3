// What one process knows of the database, a port for each domain. Take the one you need.
// Memory is at most 1 s behind the database (decision 2.6): a change raises a version row that is
// polled every 250 ms.
import type { ListenerAccounts } from './accounts/port.ts'
import type { Settings } from './settings/port.ts'
import type { LogTree } from './tree/port.ts'

export interface Metastore extends ListenerAccounts, LogTree, Settings {
  /** Called after memory changed; returns the remover. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
