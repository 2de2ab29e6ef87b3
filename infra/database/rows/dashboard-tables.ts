// Tables of apps, dashboards and their results, and of saved searches, for Kysely.
export type AppRow = {
  id: number
  name: string
  name_folded: string
  /** JSON of schemas/dashboards/app.ts. */
  settings: string
  /** JSON lists of ids; both null: everybody who signs in. */
  view_groups: string | null
  view_users: string | null
  /** Both null: whoever may view it and has the operation. */
  edit_groups: string | null
  edit_users: string | null
  /** Rises with every change. */
  version: number
  changed_ms: number
}

export type DashboardRow = {
  id: number
  app_id: number
  name: string
  name_folded: string
  /** JSON of schemas/dashboards/dashboard.ts. */
  definition: string
  /** User of the last change: for whom the schedule makes the first result. */
  saved_by: number
  version: number
  changed_ms: number
}

/** See infra/metastore/dashboards/stored-results.ts. */
export type DashboardResultRow = {
  dashboard_id: number
  scope: string
  last_log_id: number
  made_of: string
  user_id: number
  asked_ms: number
  generated_ms: number
  result: string
}

export type SavedSearchRow = {
  id: number
  owner_id: number
  name: string
  name_folded: string
  description: string
  /** 1: everybody who signs in may open it. */
  is_shared: 0 | 1
  /** JSON of schemas/search-json/kept-search.ts. */
  search: string
  version: number
  changed_ms: number
}

export type DashboardTables = {
  apps: AppRow
  dashboards: DashboardRow
  dashboard_results: DashboardResultRow
  saved_searches: SavedSearchRow
}
