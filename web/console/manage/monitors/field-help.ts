// What stands below the fields of a monitor, for whoever has the page in front of him.

const TEMPLATE = `May have \${monitor}, \${severity}, \${group}, \${count}, \${event}, \${query}, \${opened}, \${time}, \${rows}, \${link}; \\n begins a new line. Empty: the usual words.`

export const MONITOR_HELP = {
  name: 'No two monitors have the same name, in whatever case.',
  query: 'What it searches for, written as on the search page.',
  sources: 'Only these logs, folders and app tags. Empty: all that its owner may view.',
  groupBy: 'One alert for each value of this column. Empty: one alert of all rows.',
  timeZone: 'Of the schedule and the hours below. Empty: that of the system.',
  businessHours: 'It runs only in these. Empty: at any time.',
  delaySeconds: 'So much later than it is due, in seconds, that late events are in.',
  severity: 'How bad it is. Medium unless you choose.',
  openAfter: 'So many runs in a row must fail before an alert opens. Empty: one.',
  closeAfter: 'So many runs in a row must pass before the alert closes. Empty: one.',
  once: 'Told once while it fails; without the tick at each run that fails.',
  maxAlertsPerHour: 'Of one group no more are told in an hour. Empty or 0: all.',
  actions: 'Alert targets of the address book. None: alerts stand in the list and in their log.',
  escalation: 'Who else is told while nobody has acknowledged the alert, and after how long.',
  tellEnd: 'That the alert has closed is told, too.',
  subject: `The first line of a message. ${TEMPLATE}`,
  text: `The message itself. ${TEMPLATE}`,
  owner: 'It runs with the rights of this user. Empty: yours. Only administrators name another.',
  description: 'For people; it changes nothing.',
  enabled: 'Without the tick it does not run.',
} as const

export const REPORT_HELP = {
  name: 'No two reports have the same name, in whatever case.',
  timeZone: 'Of the schedule. Empty: that of the system.',
  description: 'For people; it changes nothing.',
  enabled: 'Without the tick it is not sent by its schedule.',
} as const
