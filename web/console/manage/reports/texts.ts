// The texts of reports.

export const REPORT_TEXTS = {
  state: 'State',
  states: { new: 'not sent yet', begun: 'being sent', sent: 'sent', failed: 'not sent' },
  disabled: 'off',
  lastRun: 'Last run',
  nextRun: 'Next run',
  noNext: 'none',
  sends: 'Sends',
  dashboardOf: (name: string) => `${name} as PDF`,
  searchOf: (name: string) => `${name} as CSV`,
  owner: 'Owner',
  sendNow: 'Send now',
  asked: 'It is sent within seconds.',
  parts: { what: 'What is sent', when: 'When', told: 'To whom' },
  tabs: { history: 'Runs' },
  runs: 'Runs',
  noRuns: 'No run yet. It is sent at its next due time, or now.',
  due: 'Due',
  result: 'Result',
  bytes: 'Attached',
  noBytes: 'nothing',
  sentTo: 'Sent to',
  why: 'Why',
  deliveryStates: { pending: 'waits', delivered: 'taken', failed: 'failed' },
  skipped: (count: number) =>
    count === 1 ? '1 due time before it was not run' : `${count} due times before it were not run`,
} as const
