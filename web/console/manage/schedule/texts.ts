// The texts of schedules, windows and time zones in forms.

export const SCHEDULE_TEXTS = {
  kinds: {
    never: 'Never by itself',
    every: 'Again and again, every …',
    daily: 'Daily at …',
    weekly: 'Weekly on …',
    monthly: 'Monthly on day …',
  },
  count: 'Every',
  unit: 'Unit',
  units: { m: 'minutes', h: 'hours', d: 'days' },
  time: 'At',
  day: 'Day of the month',
  days: 'Days of the week',
  dayNames: {
    mon: 'Monday',
    tue: 'Tuesday',
    wed: 'Wednesday',
    thu: 'Thursday',
    fri: 'Friday',
    sat: 'Saturday',
    sun: 'Sunday',
  },
  cronHelp: 'Five fields of cron: minute, hour, day, month, day of the week.',
  textHelp:
    'Such as every 5m, weekly mon,thu 08:00, or five fields of cron: minute, hour, day, month, day of the week.',
  cronFault: 'Choose a time, a day of the month or one day of the week.',
  fault: 'Choose a time, a day of 1 to 28, one day of the week, or a number: at most 7 days apart.',
  help: {
    never: 'It runs only when somebody runs it.',
    every: 'At even times: every 15 minutes is at :00, :15, :30 and :45 of UTC.',
    at: 'In the time zone below.',
    inSystem: 'In the time zone of the system.',
  },
  next: (times: string) => `Next: ${times}.`,
  noNext: 'It is never due in the next two months.',
  kindsOfWindow: { new: 'What is new since the last run', last: 'The time before each run' },
  windowCount: 'How long',
  windowHelp: {
    new: 'Every event counts once, also one that comes late.',
    last: 'Counted back from when the run is due; at most 31 days.',
  },
  windowFault: 'Type a whole number; at most 31 days.',
} as const
