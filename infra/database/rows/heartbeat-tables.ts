// Tables of the heartbeat to the portal (docs/decisions/0060).

/** One row, or none before the first heartbeat. '' and 0 are what is not known. */
export type PortalLinkRow = {
  number: number
  /** Digest of the address and the licence key that the rest is about. */
  setup: string
  /** Of entitlements, as this deployment saw it first: 32 bytes as base64. */
  portal_key: string
  deployment_id: string
  /** JSON of sealedSchema. */
  token: string
  /** As it was signed. */
  entitlement: string
  /** Of the licence, as the portal said last. */
  license_state: string
  /** Why the last heartbeat failed. */
  failure: string
  /** The same in words. */
  reason: string
  /** In a row. */
  failures: number
  begun_ms: number
  /** The portal's last answer that counts. */
  reached_ms: number
  next_ms: number
  /** When all hours, not the last ones alone, were last compared and acknowledged. */
  looked_ms: number
  /** What waits to be acknowledged, as of the last try. */
  due_hours: number
  refused_hours: number
}

/** What the portal has acknowledged: an hour of receipt since 1970, in UTC. */
export type ReportedHourRow = {
  deployment_id: string
  hour: number
  portal_key: string
  events: number
  bytes: number
}

export type HeartbeatTables = { portal_link: PortalLinkRow; reported_hours: ReportedHourRow }
