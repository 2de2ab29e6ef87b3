// The texts of a monitor's rule.

export const RULE_TEXTS = {
  groups: [
    { name: 'What the query finds', kinds: ['exists', 'count', 'column', 'change'] },
    { name: 'What does not come', kinds: ['silence'] },
    { name: 'What is odd', kinds: ['unusual', 'newShape', 'newValue'] },
  ],
  kinds: {
    exists: 'Any row',
    count: 'Number of rows',
    column: 'A number in a column',
    change: 'Number of rows against the week before',
    silence: 'A log is silent',
    unusual: 'A log has an unusual hour',
    newShape: 'A new kind of message',
    newValue: 'A new value in a column',
  },
  help: {
    exists: 'One row in the window is enough.',
    count: 'Counts the rows that the query finds in the window.',
    column:
      'One row whose number is so is enough. Good with a query such as * | count | group by host.',
    change:
      'In percent of the same window a week before: −50 is half as many rows, 100 is twice as many. It needs a window such as 15m.',
    silence:
      'Of the logs that the query names, one has no event in the window. It needs a window such as 15m.',
    unusual:
      'A log received more or fewer events in its last full hour than usual at that hour of the week. It learns for ten days, with a query such as * in log.access.',
    newShape:
      'A message of a shape that was not there in the last four weeks. It needs the window new.',
    newValue:
      'A value that the column did not have in the last four weeks. It needs the window new.',
  },
  every: 'Each one, however seldom it comes',
  column: 'Column',
  operator: 'Compared',
  number: 'Number',
  rows: 'rows',
  counted: {
    '>': 'more than',
    '>=': 'at least',
    '<': 'fewer than',
    '<=': 'at most',
    '=': 'exactly',
    '!=': 'any number but',
  },
  compared: {
    '>': 'above',
    '>=': 'at or above',
    '<': 'below',
    '<=': 'at or below',
    '=': 'exactly',
    '!=': 'anything but',
  },
  noColumn: 'Name a column.',
  noNumber: 'Type a number.',
  notNumber: 'It must be a number such as 20, −5 or 1.5, with up to six places.',
  fails: (what: string) => `Fails when ${what}.`,
  failed: (what: string) => `fails when ${what}`,
  said: {
    exists: 'there is a row',
    rows: (compared: string, value: string) => `there are ${compared} ${value} rows`,
    column: (column: string, compared: string, value: string) =>
      `${column} of a row is ${compared} ${value}`,
    change: (compared: string, value: string) =>
      `the number of rows against the week before is ${compared} ${value} %`,
    silence: 'a log has no event',
    unusual: 'the last full hour of a log is unusual',
    newShape: 'a new kind of message comes',
    newValue: (column: string) => `a new value of ${column} comes`,
    every: ', however seldom',
  },
} as const
