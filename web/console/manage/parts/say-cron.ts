// The usual schedules of cron in words; undefined: only cron itself says it. Pure.

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']
const SUNDAY_TOO = 7

/** `0 2 * * 0`: Sundays at 02:00. */
export function sayCron(cron: string): string | undefined {
  const [, minute, hour, day, weekday] =
    /^(\d{1,2}) (\*|\d{1,2}) (\*|\d{1,2}) \* (\*|[0-7])$/.exec(cron.trim()) ?? []
  if (minute === undefined || hour === undefined) return undefined
  const past = minute.padStart(2, '0')
  if (hour === '*') return day === '*' && weekday === '*' ? `each hour at :${past}` : undefined
  const at = `at ${hour.padStart(2, '0')}:${past}`
  if (day !== '*') return weekday === '*' ? `on day ${day} of each month ${at}` : undefined
  return weekday === '*' ? `daily ${at}` : `${DAYS[Number(weekday) % SUNDAY_TOO]} ${at}`
}
