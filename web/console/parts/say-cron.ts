// The common expressions of cron in words, as people read them. Pure.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `0 2 * * 0`: every Sunday at 02:00. Others: by the schedule and what was written. */
export function sayCron(cron: string): string {
  return sayCommon(cron.trim()) ?? `by the schedule ${cron}`
}

function sayCommon(cron: string): string | undefined {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.split(/\s+/)
  if (month !== '*') return undefined
  if (hour === '*') return day === '*' && weekday === '*' ? sayMinute(minute) : undefined
  if (!isNumber(minute) || !isNumber(hour)) return undefined
  const at = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (weekday === '*' && day === '*') return `every day ${at}`
  if (weekday === '*') return isNumber(day) ? `on day ${day} of each month ${at}` : undefined
  if (day !== '*' || !isNumber(weekday)) return undefined
  return `every ${DAYS[Number(weekday) % DAYS.length]} ${at}`
}

function sayMinute(minute: string): string | undefined {
  if (minute === '*') return 'every minute'
  if (isNumber(minute)) return `every hour, ${minute} minutes past`
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  // Of other steps the last one of an hour is shorter.
  return step !== undefined && 60 % Number(step) === 0 ? `every ${step} minutes` : undefined
}

function isNumber(text = ''): boolean {
  return /^\d+$/.test(text)
}
