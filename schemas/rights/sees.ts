// Who may change where events and alerts go (docs/decisions/0137): each command says which ways of
// theirs it changes, and the server compares these before and after it.

/** Ways on which events or alerts are taken in, moved, hidden, dropped, copied or sent. */
export const EVENT_PATHS = [
  ...(['listener', 'folder', 'log', 'task', 'template'] as const),
  ...(['collectionPolicy', 'account', 'monitor', 'report', 'setting'] as const),
] as const

export type EventPath = (typeof EVENT_PATHS)[number]

export type Sees =
  /** Changes these and no others: needs the right to view the events concerned. */
  | { readonly kind: 'paths'; readonly paths: readonly [EventPath, ...EventPath[]] }
  /** Acts on events itself: the served command says on which. */
  | { readonly kind: 'act' }
  /** As the command of each object. */
  | { readonly kind: 'objects' }
  /** `because`: a reason that can be checked, as a sentence of the manual. */
  | { readonly kind: 'nothing'; readonly because: string }

export const ONLY_READS = {
  kind: 'nothing',
  because: 'it only reads, within the rights of its caller',
} as const satisfies Sees

/** Of apps, dashboards and saved searches. */
export const VIEWERS_OWN = {
  kind: 'nothing',
  because: 'each viewer reads with the own rights',
} as const satisfies Sees

/** Of sessions, passwords and whatever else is one's own. */
export const ABOUT_CALLER = {
  kind: 'nothing',
  because: 'it is about the caller',
} as const satisfies Sees
