// The texts of the trial beside the form of a monitor.

export const TRY_TEXTS = {
  title: 'Try it',
  intro: 'Runs what is in the form over the past, without saving it. Nobody is told.',
  past: 'Over',
  pasts: [
    ['1h', 'the last hour'],
    ['6h', 'the last 6 hours'],
    ['1d', 'the last 24 hours'],
    ['7d', 'the last 7 days'],
  ],
  start: 'Try it',
  again: 'Try again',
  busy: 'It is being tried; this takes up to 45 seconds.',
  noQuery: 'Type a query first.',
  faulty: (field: string) => `Mend ${field} first.`,
  noRuns: 'It is not due in this time. Try a longer one, or another schedule.',
  summary: (failed: number, runs: number) =>
    runs === 1
      ? failed === 1
        ? 'Its one run would have failed.'
        : 'Its one run would have passed.'
      : failed === 0
        ? `None of ${runs} runs would have failed.`
        : `${failed} of ${runs} runs would have failed.`,
  opened: (alerts: number) =>
    alerts === 0 ? 'No alert opens.' : alerts === 1 ? '1 alert opens.' : `${alerts} alerts open.`,
  cut: (runs: number) => `Its time was over after ${runs} runs: later ones were not tried.`,
  stale: 'The form has changed since.',
  rowsChart: 'Rows that its runs find; arrows go from bar to bar',
  runsChart: 'Runs that pass and fail; arrows go from bar to bar',
  rowSeries: ['rows, it passes', 'rows, it fails'],
  runSeries: ['runs that pass', 'runs that fail'],
  runs: 'Runs',
  onlyFailing: 'Only those that fail',
  at: 'At',
  state: 'State',
  fails: 'fails',
  passes: 'passes',
  failingGroups: (groups: number) => `fails in ${groups}`,
  rows: 'Rows',
  more: (count: number) => `and ${count} more`,
  rowsOf: (at: string) => `Rows of the run at ${at}`,
} as const
