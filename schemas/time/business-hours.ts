// Days and hours of work: `Mon-Fri 09:00-17:00 Europe/Berlin`. Pure.
import { isTimeZone } from './time-zone.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAY = `(?:${DAYS.join('|')})`
const DAY_LIST = new RegExp(`^${DAY}(?:-${DAY})?(?:,${DAY}(?:-${DAY})?)*$`, 'i')
const HOURS = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

export function isBusinessHours(text: string): boolean {
  const [days = '', hours = '', zone, ...rest] = text.split(' ')
  if (!DAY_LIST.test(days) || rest.length > 0) return false
  const [, fromHour, fromMinute, toHour = '24', toMinute = '00'] = HOURS.exec(hours) ?? []
  if (fromHour === undefined || fromMinute === undefined) return false
  if (`${fromHour}${fromMinute}` >= `${toHour}${toMinute}`) return false
  return zone === undefined || isTimeZone(zone)
}
