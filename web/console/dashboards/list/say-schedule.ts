// The common expressions of cron in words, as people read them; others stay as they were written.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** every 15 minutes; every day at 06:00; by the schedule 0 6 1 * * */
export function saySchedule(cron: string): string {
  const [minute = '', hour = '', ...rest] = cron.split(' ')
  const [day, month, weekDay = ''] = rest
  const isEveryMonth = day === '*' && month === '*'
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (isEveryMonth && weekDay === '*' && hour === '*') {
    if (minute === '*') return 'every minute'
    // Of other steps the last one of an hour is shorter.
    if (step !== undefined && 60 % Number(step) === 0) return `every ${step} minutes`
    if (isNumber(minute)) return `every hour, ${minute} minutes past`
  }
  if (isEveryMonth && isNumber(minute) && isNumber(hour)) {
    const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
    if (weekDay === '*') return `every day at ${time}`
    const name = isNumber(weekDay) ? DAYS[Number(weekDay) % 7] : undefined
    if (name !== undefined) return `every ${name} at ${time}`
  }
  return `by the schedule ${cron}`
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text)
}
