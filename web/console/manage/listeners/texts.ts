// The texts of what a listener account stores and takes.

export const LISTENER_TEXTS = {
  tabShaping: 'Limits and token',
  stores: 'What it stores',
  takes: 'What it takes',
  from: 'From where',
  noLimit: 'No limit',
  fields: {
    dropFilter: 'Drop filter',
    sampledPercent: 'Of a hundred of its other events, store',
    allowedAddresses: 'Allowed addresses',
    maxEventsPerSecond: 'Events a second',
    maxBytesPerSecond: 'Bytes a second',
    maxBytesPerDay: 'Bytes a day (UTC)',
  },
  intro:
    'Beyond a limit a listener answers 500 with Retry-After, and nothing that was acknowledged is lost. Dropped events are counted, and not stored.',
  save: 'Save',
  saved: 'Saved. It holds within a second.',
  try: 'How many would it drop?',
  dropped: (dropped: string, all: string, percent: string, folder: string) =>
    `Of ${all} events of the last 24 hours in ${folder}, ${dropped} (${percent}) have this filter.`,
  noEvent: (folder: string) => `No event of the last 24 hours lies in ${folder}.`,
  token: 'Token',
  tokenIntro:
    'A new token is shown once. For so many hours the one before is accepted as well, so that no sender is cut off while you change them.',
  overlap: 'Hours in which the token before works',
  overlapHelp: 'Empty: it is refused at once.',
  rotate: 'Make a new token',
  sureNow: (name: string) =>
    `The token that ${name} has is refused within a second: whoever sends with it gets 400 until it has the new one.`,
  sureLater: (name: string, hours: string) =>
    `${name} has a new token. The one before works for ${hours} hours more, then it is refused.`,
  sureTitle: (name: string) => `A new token for ${name}?`,
} as const
