// What the prepared directories hold. The text of each event follows from its place alone, so that
// what is read back is compared to the byte without keeping what was sent.
import { eventText, hostOf, numberIn, type Place } from '../campaign/numbered-events.ts'

/** What one sender sent in one moment: events 0 to below `events`, all acknowledged. */
export type Sent = Place & { readonly events: number }

/** Of a moment. */
export function logOf(round: number): string {
  return `moment ${round}`
}

/** As in numbered-events.ts, in a log of its moment's own. */
export function textOf(place: Place, number: number): string {
  return eventText(place, number).replace('{', `{"productName":"${logOf(place.round)}",`)
}

export function bodyOf(place: Place, first: number, count: number): string {
  return Array.from({ length: count }, (_, at) => textOf(place, first + at)).join('\n')
}

export function textsOf(sent: Sent): string[] {
  return Array.from({ length: sent.events }, (_, number) => textOf(sent, number))
}

/** What differs between the events of one sender and what was found of them; nothing when each is
 *  there once, as it was sent. */
export function differencesIn(raws: readonly string[], sent: Sent): string[] {
  const times = new Map<number, number>()
  let changed = 0
  for (const raw of raws) {
    const number = numberIn(raw) ?? -1
    if (number < 0 || number >= sent.events || raw !== textOf(sent, number)) changed += 1
    else times.set(number, (times.get(number) ?? 0) + 1)
  }
  const lost = sent.events - times.size
  const doubled = [...times.values()].reduce((sum, found) => sum + found - 1, 0)
  return [
    ...(lost > 0 ? [`${lost} of ${sent.events} of ${hostOf(sent)} not found`] : []),
    ...(doubled > 0 ? [`${doubled} of ${hostOf(sent)} doubled`] : []),
    ...(changed > 0 ? [`${changed} of ${hostOf(sent)} changed or never sent`] : []),
  ]
}
