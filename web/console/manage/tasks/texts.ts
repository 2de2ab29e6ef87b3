// The texts of tasks and their runs.

export const TASK_TEXTS = {
  lastRun: 'Last run',
  never: 'never',
  states: { asked: 'waits', running: 'runs', done: 'done', failed: 'failed' },
  tab: 'Runs',
  runNow: 'Run now',
  running: 'It runs. This page follows it.',
  done: (events: string, logs: number) =>
    `Done: ${events} events read${logs === 0 ? '' : `, ${logs} new ${logs === 1 ? 'log' : 'logs'}`}.`,
  failed: (reason: string) => `It failed: ${reason}`,
  none: 'No run yet. It runs by its schedule, or now.',
  noSync: 'Sync tasks are kept, and do not run in this version.',
  asked: 'Asked',
  state: 'State',
  cause: 'By',
  causes: { asked: 'somebody', schedule: 'its schedule' },
  took: 'Took',
  files: 'Files',
  newLogs: 'New logs',
  events: 'Events',
  bytes: 'Read',
  rate: 'Rate',
  behind: 'Not read yet',
  reason: 'What went wrong',
  perSecond: (bytes: string) => `${bytes}/s`,
} as const
