// Every table as Kysely sees it; the DDL is in migrations/. One vocabulary for SQLite and
// PostgreSQL: times are epoch milliseconds (BIGINT), flags 0 or 1, lists JSON text, names that
// ignore case have a folded column beside them (foldName), nothing relies on a collation. Ids come
// from `sequences` and are never used again.

import type { SilenceTables } from '../metastore/silences/tables.ts'
import type { AccessTables } from './rows/access-tables.ts'
import type { DashboardTables } from './rows/dashboard-tables.ts'
import type { EvidenceTables } from './rows/evidence-rows.ts'
import type { HeartbeatTables } from './rows/heartbeat-tables.ts'
import type { MonitorTables } from './rows/monitor-tables.ts'
import type { ReportTables } from './rows/report-tables.ts'
import type { RetentionTables } from './rows/retention-rows.ts'
import type { SearchTables } from './rows/search-rows.ts'
import type { CollectTables, TaskRow } from './rows/task-row.ts'

type Flag = 0 | 1

type MigrationRow = { number: number; name: string; applied_ms: number }

type SequenceRow = { name: string; next: number }

/** One row an area of cached reads; raised in the transaction that changes the area (decision
 *  2.6). */
export type ChangeArea =
  | 'accounts'
  | 'tree'
  | 'columns'
  | 'security'
  | 'settings'
  | 'tags'
  | 'access'
type ChangeRow = { area: ChangeArea; version: number }

type SettingRow = { name: string; value: string }

export type CollectionPolicyRow = {
  /** UInt16 in the store. */
  id: number
  name: string
  name_folded: string
  description: string
  /** JSON of collectionPolicySchema. */
  settings: string
  /** Set when it was removed; the row stays for what lies under its id. */
  removed_ms: number | null
}

export type AppTagRow = {
  id: number
  name: string
  name_folded: string
  /** JSON of appTagSchema. */
  settings: string
}

type ListenerAccountRow = {
  id: number
  name: string
  name_folded: string
  /** SHA-256 of the token, hexadecimal; the token itself is shown once and kept nowhere. */
  token_hash: string
  /** The token before it, which is accepted until then; null: none. */
  old_token_hash: string | null
  old_token_until_ms: number | null
  /** The version in force. */
  version: number
  is_enabled: Flag
  /** Set when the account was removed; the row stays for the events that name it. */
  removed_ms: number | null
}

type AccountDayBytesRow = {
  account_id: number
  /** Of receipt, counted from 1970, UTC. */
  day: number
  bytes: number
}

/** Written once, never changed (decision 2.6). */
type ListenerAccountVersionRow = {
  account_id: number
  version: number
  /** JSON of accountSettingsSchema. */
  settings: string
  is_enabled: Flag
  made_ms: number
  /** Its events meet the templates as of this number; 0: before the first. */
  templates: number
}

/** Written once, never changed (docs/decisions/0041): the newest row of a name is in force. */
export type TemplateVersionRow = {
  /** 1, 2, 3 … over all templates. */
  number: number
  name: string
  name_folded: string
  state: 'enabled' | 'disabled' | 'removed'
  /** JSON of templateSettingsSchema. */
  settings: string
  made_ms: number
}

/** What the tree in memory has of it. */
export type TreeFolderRow = Omit<FolderRow, 'is_declared'>
export type TreeLogRow = Omit<LogRow, 'is_declared'>

export type FolderRow = {
  id: number
  /** 0 is the root. */
  parent_id: number
  name: string
  /** Version of the area `tree` that made or changed the row. */
  changed: number
  description: string
  /** Set when it was removed; the row stays for what lay in it (docs/decisions/0036). */
  removed_ms: number | null
  /** 1: an operator made or changed it; 0: it came with data. */
  is_declared: Flag
}

export type LogRow = {
  id: number
  folder_id: number
  name: string
  account_id: number | null
  policy_id: number
  app_tags: string
  type_words: string
  /** Hour of receipt of its first event (epoch ms / 3,600,000). */
  received_hour: number
  made_ms: number
  changed: number
  description: string
  /** JSON of logDefinitionSchema. */
  definition: string
  /** As of a folder. */
  removed_ms: number | null
  is_declared: Flag
}

export type ColumnRow = {
  /** Order of first sight over all logs; also the version of the area `columns`. */
  seq: number
  log_id: number
  /** The name, or a hash of a long one: an index key must stay small. */
  name_key: string
  name: string
  kind: string
}

export type PolicyRow = {
  id: number
  name: string
  name_folded: string
  display_name: string
  description: string
  /** JSON list; `*` for every operation. */
  operations: string
  /** JSON list: what it hides; null: nothing. */
  masks: string | null
  /** 1: built in, cannot be changed or removed. */
  is_fixed: Flag
}

export type UserRow = {
  id: number
  name: string
  name_folded: string
  display_name: string
  password_hash: string
  policy_id: number | null
  is_enabled: Flag
  /** Rises with each change of the user. */
  version: number
  removed_ms: number | null
}

export type GroupRow = {
  id: number
  name: string
  name_folded: string
  display_name: string
  description: string
  policy_id: number | null
  is_fixed: Flag
}

export type GroupMemberRow = { group_id: number; member_kind: 'user' | 'group'; member_id: number }

/** Who may change the members of the group. */
export type GroupAdministratorRow = {
  group_id: number
  admin_kind: 'user' | 'group'
  admin_id: number
}

/** A row: the node sets its own list of who may view it. No row: it takes its parent's. */
type NodePermissionRow = {
  node_kind: 'folder' | 'log'
  /** Folder 0 is the root. */
  node_id: number
  /** JSON lists of ids. */
  view_groups: string
  view_users: string
}

/** The same for who may edit it. */
type NodeEditorRow = {
  node_kind: 'folder' | 'log'
  node_id: number
  edit_groups: string
  edit_users: string
}

/** See lease.ts. */
type LeaseRow = {
  name: string
  /** '' for nobody. */
  holder: string
  /** Rises with each holder. */
  fence: number
  /** Rises with each renewal. */
  beat: number
}

type SharedKeyRow = {
  name: string
  /** Hexadecimal. */
  key: string
}

type EventLogRow = {
  /** 0, 1, 2 …: places of each begin far above those of the one before. */
  generation: number
  identity: string
  adopted_ms: number
}

type ListeningNodeRow = {
  name: string
  /** When it last said that it is there. */
  seen_ms: number
}

/** An account of the address book (schemas/address-book.ts). */
export type BookAccountRow = {
  id: number
  kind: string
  name: string
  name_folded: string
  description: string
  /** JSON of the settings of its kind. */
  settings: string
  /** JSON of encrypted secrets by field (infra/secrets/secret-box.ts). */
  secrets: string
  is_enabled: Flag
  /** Rises with every change. */
  version: number
  changed_ms: number
}

/** Ids of the keys that encrypted secrets, in their order; the last one is in force. The keys are
 *  in a file. */
type SecretKeyRow = { number: number; key_id: string; made_ms: number }

/** A row of System->rejected that was sent again, by its place in the store. */
type ReplayedEventRow = { partition: number; place: string; is_done: Flag; begun_ms: number }

/** See schemas/keep/store-damage.ts; 0 where there is none of it. */
export type StoreDamageRow = {
  id: string
  kind: string
  policy_id: number
  day: number
  log_id: number
  partition_number: number
  events: number
  bytes: number
  from_ms: number | null
  to_ms: number | null
  found_ms: number
}

/** One row, 1: the last check. */
type StoreCheckRow = {
  number: number
  checked_ms: number
  units: number
  /** Received, of all units. */
  events: number
  /** Rises with each acceptance: a check that began before it has seen what is no more. */
  accepted: number
}

/** What was committed of a partition of the event log, at least. */
type StoreTotalRow = { partition_number: number; events: number; at_ms: number }

/** See infra/metastore/backups/backup-requests.ts. */
type BackupRow = {
  name: string
  state: string
  is_dry_run: Flag
  asked_ms: number
  ended_ms: number | null
  bytes: number
  /** JSON. */
  summary: string
  reason: string
}

/** At most one. */
type InstalledLicenseRow = { number: number; text: string; installed_ms: number }

export type Tables = AccessTables &
  HeartbeatTables &
  DashboardTables &
  SilenceTables &
  RetentionTables &
  EvidenceTables &
  SearchTables &
  CollectTables &
  ReportTables &
  MonitorTables & {
    migrations: MigrationRow
    sequences: SequenceRow
    changes: ChangeRow
    settings: SettingRow
    collection_policies: CollectionPolicyRow
    app_tags: AppTagRow
    listener_accounts: ListenerAccountRow
    listener_account_versions: ListenerAccountVersionRow
    account_day_bytes: AccountDayBytesRow
    template_versions: TemplateVersionRow
    folders: FolderRow
    logs: LogRow
    columns: ColumnRow
    policies: PolicyRow
    users: UserRow
    user_groups: GroupRow
    group_members: GroupMemberRow
    group_administrators: GroupAdministratorRow
    node_permissions: NodePermissionRow
    node_editors: NodeEditorRow
    leases: LeaseRow
    shared_keys: SharedKeyRow
    event_logs: EventLogRow
    listening_nodes: ListeningNodeRow
    replayed_events: ReplayedEventRow
    book_accounts: BookAccountRow
    tasks: TaskRow
    secret_keys: SecretKeyRow
    store_damage: StoreDamageRow
    store_checks: StoreCheckRow
    store_totals: StoreTotalRow
    backups: BackupRow
    installed_license: InstalledLicenseRow
  }
