// Tables of the portal, for Kysely. Ids are texts that rise with time (portal/access/ids.ts).
export type PortalTables = {
  organizations: OrganizationRow
  people: PersonRow
  memberships: MembershipRow
  credentials: CredentialRow
  licenses: LicenseRow
  idempotent_answers: IdempotentAnswerRow
  rate_counts: RateCountRow
  portal_audit: AuditRow
  shared_keys: SharedKeyRow
  one_time_links: OneTimeLinkRow
  mails: MailRow
  price_books: PriceBookRow
  offers: OfferRow
  offer_versions: OfferVersionRow
  accepted_offers: AcceptedOfferRow
  offer_attachments: OfferAttachmentRow
  deployments: DeploymentRow
  usage_hours: UsageHourRow
  usage_days: UsageDayRow
  deployment_alerts: DeploymentAlertRow
  signing_keys: SigningKeyRow
  credit_ledgers: CreditLedgerRow
  credit_grants: CreditGrantRow
  credit_usage: CreditUsageRow
  credit_movements: CreditMovementRow
  license_alerts: LicenseAlertRow
  webhooks: WebhookRow
  webhook_events: WebhookEventRow
  webhook_messages: WebhookMessageRow
  webhook_attempts: WebhookAttemptRow
  told_events: ToldEventRow
}

/** 0 or 1. */
type Flag = number

export type OrganizationRow = {
  id: string
  name: string
  name_folded: string
  kind: string
  channel: string | null
  region: string
  currency: string
  created_ms: number
}

export type PersonRow = {
  id: string
  email: string
  email_folded: string
  name: string
  /** '' until the invitation was taken. */
  password_hash: string
  /** JSON of the sealed secret; null: no second factor. */
  second_factor: string | null
  /** JSON of the sealed secret of one that was begun; '' for none. */
  pending_factor: string
  /** JSON of a list. */
  recovery_hashes: string
  /** Last step whose code was used. */
  totp_step: number
  is_enabled: Flag
  created_ms: number
}

export type MembershipRow = {
  person_id: string
  organization_id: string
  role: string
  created_ms: number
}

/** Whatever a caller shows: keys of licences and of the API, tokens of deployments, sessions and
 *  operators. The secret itself is nowhere. */
export type CredentialRow = {
  id: string
  kind: string
  /** SHA-256 of the secret, hex. */
  hash: string
  last4: string
  name: string
  /** For which it acts; null: an operator's. */
  organization_id: string | null
  /** Whose it is: a person, a deployment or a licence. */
  owner_id: string | null
  /** JSON of a list. */
  scopes: string
  created_ms: number
  expires_ms: number | null
  revoked_ms: number | null
  /** Of API keys, to the minute; null: never. */
  last_used_ms: number | null
  /** Of sessions: from where; null: of another kind, or made before it was kept. */
  address: string | null
  /** Of API keys and operator tokens: the person; null: a token, or before it was kept. */
  made_by: string | null
}

export type LicenseRow = {
  id: string
  organization_id: string
  name: string
  /** JSON (schemas/portal/accounts.ts). */
  plan: string
  from_ms: number
  to_ms: number
  /** active, suspended or revoked; the rest follows from the times. */
  state: string
  created_ms: number
}

export type IdempotentAnswerRow = {
  caller: string
  /** Method and path. */
  call: string
  key: string
  body_hash: string
  status: number
  /** JSON of headers and body; sealed where it shows a secret. */
  answer: string
  is_sealed: Flag
  created_ms: number
}

export type RateCountRow = { caller: string; minute: number; calls: number }

export type AuditRow = {
  id: string
  at_ms: number
  /** Kind and id of the credential. */
  caller: string
  organization_id: string | null
  action: string
  target: string
  result: string
  request_id: string
  address: string
}

export type OneTimeLinkRow = {
  hash: string
  person_id: string
  purpose: string
  created_ms: number
  expires_ms: number
  used_ms: number | null
}

export type MailRow = {
  id: string
  recipient: string
  subject: string
  /** Sealed; '' when nobody needs it any more. */
  body: string
  created_ms: number
  /** When it is tried next; null: it was sent, or given up. */
  next_ms: number | null
  tries: number
  sent_ms: number | null
  last_failure: string
}

type SharedKeyRow = { name: string; key: string }

export type DeploymentRow = {
  id: string
  /** As the rows of its usage name it. */
  number: number
  organization_id: string
  license_id: string
  fingerprint: string
  /** As it names itself. */
  reported_name: string
  /** As people of its organization name it; null: as it does. */
  label: string | null
  version: string
  layout: string
  /** JSON of a list. */
  nodes: string
  /** Where it reported from last, and the address before that. */
  address: string
  other_address: string | null
  other_seen_ms: number | null
  created_ms: number
  last_seen_ms: number
  retired_ms: number | null
}

/** What a deployment stored in one hour of receipt. */
export type UsageHourRow = {
  /** Number of the deployment. */
  deployment: number
  /** Hours since 1970, UTC. */
  hour: number
  /** '' where none was named. */
  source: string
  events: number
  bytes: number
}

/** Sums of all deployments of an organization, kept together with the hours. */
type UsageDayRow = {
  organization_id: string
  /** Days since 1970, UTC. */
  day: number
  events: number
  bytes: number
}

/** What reports gave away; in force for a day after it was last seen. */
type DeploymentAlertRow = {
  organization_id: string
  deployment_id: string
  code: string
  detail: string
  since_ms: number
  last_ms: number
}

/** `sealed` opens with the key file of the portal. */
type SigningKeyRow = { name: string; public_key: string; sealed: string }

/** A version of a price book; never changed. */
export type PriceBookRow = {
  id: string
  /** `id` of the document. */
  name: string
  version: string
  /** JSON in canonical form. */
  document: string
  /** `2026-01-31`, UTC: first day, and first day after it. */
  from_day: string
  to_day: string | null
  created_ms: number
}

/** The credits of one organization (portal/license/credits/ledger.ts), in pieces. */
type CreditLedgerRow = { organization_id: string; currency: string; booked_at: string | null }

type CreditGrantRow = {
  id: string
  organization_id: string
  /** JSON. */
  grant: string
  /** JSON; null: it was not taken back. */
  voided: string | null
}

type CreditUsageRow = {
  organization_id: string
  key: string
  /** JSON. */
  usage: string
}

type CreditMovementRow = {
  organization_id: string
  number: number
  /** JSON. Never changed. */
  movement: string
}

export type LicenseAlertRow = {
  organization_id: string
  since_ms: number
  code: string
  /** Id of a deployment; '': the organization. */
  subject: string
  severity: string
  message: string
  last_held_ms: number
  cleared_ms: number | null
}

export type OfferRow = {
  id: string
  organization_id: string
  /** draft, sent, accepted or rejected; one that is sent expires by its time. */
  state: string
  version: number
  valid_until_ms: number
  created_ms: number
  sent_ms: number | null
  decided_ms: number | null
  rejection_reason: string | null
}

/** Never changed. */
export type OfferVersionRow = {
  offer_id: string
  version: number
  /** JSON (schemas/portal/offers.ts). */
  offered: string
  /** Canonical JSON: lines and totals as they were priced, with the price book's version. */
  quote: string
  made_by: string
  created_ms: number
  /** price_book, operator; null: an operator has to approve what it gives. */
  approval: string | null
}

type AcceptedOfferRow = {
  offer_id: string
  /** That was made or changed. */
  license_id: string | null
  accepted_by: string
  created_ms: number
}

export type OfferAttachmentRow = {
  id: string
  offer_id: string
  /** A label. */
  name: string
  media_type: string
  bytes: number
  /** Hexadecimal. */
  sha256: string
  object_key: string
  /** seller or customer. */
  side: string
  made_by: string
  created_ms: number
}
export type WebhookRow = {
  id: string
  organization_id: string
  url: string
  description: string
  /** JSON of a list of kinds. */
  events: string
  /** Sealed. */
  secret: string
  /** JSON of a list: replaced secrets, sealed, with their ends. */
  old_secrets: string
  /** person, gone or failing; null: it is enabled. */
  disabled_by: string | null
  disabled_ms: number | null
  /** When a message was taken last. */
  delivered_ms: number | null
  created_ms: number
  /** The person who gave the address; null: before that was kept. */
  made_by: string | null
}

/** Never changed. */
export type WebhookEventRow = {
  id: string
  organization_id: string
  kind: string
  /** JSON, byte for byte as it is sent. */
  body: string
  created_ms: number
}

/** An event on its way to one webhook. */
export type WebhookMessageRow = {
  webhook_id: string
  event_id: string
  /** pending, delivered, failed or skipped. */
  state: string
  /** Since it was started. */
  tries: number
  /** When it was made or replayed. */
  started_ms: number
  /** When it is tried next, or free again for another process; null: never. */
  next_ms: number | null
}

type WebhookAttemptRow = {
  id: string
  webhook_id: string
  event_id: string
  at_ms: number
  duration_ms: number
  status: number | null
  /** Null: it was delivered. */
  failure: string | null
  answer: string
}

/** Events that follow from time alone, each told once. */
type ToldEventRow = { key: string; at_ms: number }
