// The texts of the evidence: what is signed, compared, and taken away.

const entries = (count: string) => (count === '1' ? '1 entry' : `${count} entries`)

export const EVIDENCE_TEXTS = {
  intro:
    'The audit log and the events of finished days are signed. A comparison names what was changed since; the evidence itself can be checked on another machine.',
  tabs: { verify: 'Has anything changed?', export: 'Check it elsewhere' },
  verify: {
    intro:
      'Reads all that is signed, and changes nothing. It takes about as long as reading the disk once; days of receipt (UTC) make it shorter.',
    from: 'First day',
    to: 'Last day',
    dayHelp: 'Of the events. Empty: all.',
    head: 'An end of the chain that was sent away',
    headHelp:
      'The text of the mail, the message or the object head-….json. It tells whether the chain was cut off since.',
    withHead: 'Compare with an end that was sent away',
    start: 'Compare',
    again: 'Compare again',
    busy: 'All that is signed is read.',
    soFar: (length: string) => `${length} so far.`,
    stop: 'Stop waiting',
    unchanged: 'Nothing was changed.',
    changed: (count: string) =>
      count === '1' ? '1 thing was changed.' : `${count} things were changed.`,
    auditEntries: 'Audit log',
    evidenceEntries: 'Evidence',
    signedThrough: (count: string) => `signed up to ${count}`,
    entries,
    days: 'Days of logs',
    events: 'Events',
    parts: 'Files of the store',
    findings: 'What was changed',
    what: 'What',
    kinds: {
      audit: 'audit log',
      evidence: 'evidence',
      unit: 'events of a day',
      files: 'files of the store',
    },
    where: 'Where',
    entry: (number: string) => `entry ${number}`,
    hiddenLog: 'a log that you may not view, or that is gone',
    expected: 'Events signed',
    found: 'Found',
    text: 'How',
    notes: 'Not compared, or explained',
    key: 'Public key',
    keyHelp:
      'Note it down where nobody of this machine writes: with it the exported file is checked.',
    copy: 'Copy',
  },
  export: {
    intro:
      'The signed chain as a file. It is checked without the product, its database and its key file.',
    audit: 'With the entries of the audit log',
    auditHelp: 'Who did what becomes readable in the file. It needs the right to read the log.',
    save: 'Save the file',
    saved: (entries: string) => `evidence.jsonl is saved: ${entries}.`,
    lines: entries,
    onOthers: 'Then, on any machine with Logeye:',
    keyFirst: 'The public key stands on the tab “Has anything changed?”, under the comparison.',
    ends: 'Whoever writes into the database can cut the chain off at its end. Ends that were sent away tell: to alert targets, or into a folder or bucket.',
    setEnds: 'Where ends are sent to',
  },
} as const
