// The texts of archives: days that were written away, and brought back for a time.

const events = (count: string) => (count === '1' ? '1 event' : `${count} events`)

export const ARCHIVE_TEXTS = {
  intro:
    'Days that were written away, compressed and read back. A collection policy with an archive writes each day there before it leaves the store; a thaw makes a day searchable again for a time.',
  none: 'Nothing is archived yet.',
  noneHow:
    'Give a collection policy a directory or an account of its archive; then its days go there.',
  policies: 'Collection policies',
  number: 'Number',
  day: 'Day',
  policy: 'Collection policy',
  foreign: 'of another Logeye',
  state: 'State',
  events: 'Events',
  received: 'Received',
  logs: 'Logs',
  moreLogs: (count: string) => `and ${count} more`,
  written: 'Written',
  checked: 'Checked',
  never: 'never',
  states: { asked: 'asked for', writing: 'is written', done: 'whole', removing: 'it goes' },
  fault: 'does not work',
  inStore: 'also in the store',
  thawStates: {
    asked: 'thaw is asked for',
    loading: 'is brought back',
    thawed: 'thawed',
    ending: 'thaw ends',
  },
  until: (moment: string) => `until ${moment}`,
  acts: (number: string) => `What can be done with archive ${number}`,
  search: 'Search its events',
  verify: 'Check its objects',
  verifying: 'Its objects are read within a minute.',
  write: {
    button: 'Archive a day',
    title: 'Archive a day now',
    intro: 'The day is written within a minute, and stays in the store.',
    policy: 'Collection policy',
    day: 'Day of receipt, UTC',
    option: (day: string, count: string, bytes: string) => `${day}: ${events(count)}, ${bytes}`,
    submit: 'Archive it',
    asked: (day: string) => `${day} is archived within a minute.`,
    noPlace:
      'No collection policy has an archive: give one a directory or an account of its archive.',
    noDay: 'This policy has no finished day in the store.',
  },
  adopt: {
    button: 'Take up an archive',
    title: 'Take up an archive of another Logeye',
    intro:
      'Its manifest is read within a minute; its objects are never changed. It is thawed into logs of the same paths, which must be there.',
    directory: 'Folder, or prefix in the bucket',
    account: 'S3 account of the address book',
    accountHelp: 'Empty: a folder.',
    entry: 'Entry',
    entryHelp: '<day>/<entry>, as the other Logeye lists it: 2026-03-01/archive-7-0a1b2c3d4e5f',
    submit: 'Take it up',
    asked: 'Its manifest is read within a minute.',
  },
  thaw: {
    button: 'Thaw',
    change: 'Change the end of the thaw',
    title: (day: string) => `Thaw ${day}`,
    text: (count: string) =>
      `${events(count)} are found by searches again, all at once, within a minute or some. What was deleted since stays deleted. At the end they leave the store, and the archive stays.`,
    until: 'Until',
    untilHelp: 'A moment such as 2026-04-01T00:00:00Z. Empty: in seven days.',
    submit: 'Thaw',
    asked: (day: string) => `${day} comes back.`,
    changed: 'The end is changed.',
    end: 'End the thaw',
    endTitle: (day: string) => `End the thaw of ${day}?`,
    endText: (count: string) =>
      `${events(count)} are no longer found. The archive stays, and can be thawed again.`,
    ended: 'The thaw ends.',
  },
  remove: {
    button: 'Remove',
    title: (day: string) => `Remove the archive of ${day}?`,
    last: (count: string, bytes: string) =>
      `${events(count)}, ${bytes} as received, are removed for good: they are in no store any more. It cannot be taken back.`,
    stored: (count: string) =>
      `The objects are removed for good. Its ${events(count)} are still in the store.`,
    foreign: 'It is only forgotten here: the objects stay with the other Logeye.',
    confirm: (count: string) => `Type ${count} to remove so many events`,
    submit: 'Remove',
    asked: (day: string) => `The archive of ${day} goes.`,
  },
} as const
