// The texts of maintenance windows.

export const MAINTENANCE_TEXTS = {
  when: 'When',
  cron: 'Begins',
  kinds: { once: 'Once', again: 'Again and again' },
  start: 'Start',
  end: 'End',
  zone: (times: string, zone: string) => `${times}in the time zone of this browser, ${zone}`,
  monitors: 'Monitors',
  all: 'all',
  state: 'State',
  fromTo: (start: string, end: string) => `${start} – ${end}`,
  each: (cron: string, length: string, zone: string) =>
    `${cron}, for ${length}${zone === '' ? '' : `, ${zone}`}`,
  repeated: 'again and again',
  over: 'over',
  toCome: 'to come',
  now: 'now',
} as const
