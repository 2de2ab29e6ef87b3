// Events that say which they are. The text of each follows from its place alone, so that what is
// read back can be compared to the byte without keeping what was sent.

export type Place = { readonly seed: number; readonly round: number; readonly sender: number }

const LONG_EVERY = 97
const LONG_CHARACTERS = 3000
/** One time for all events of a sender: their order among themselves is then the order of their
 *  receipt (decision 2.8). */
const SHARED_TIME = '2026-10-01T12:00:00.000Z'

/** In a round a sender has a name of its own, so that what it sent there can be asked for alone. */
export function hostOf({ round, sender }: Place): string {
  return `chaos${round}x${sender}`
}

/** Half of the senders leave the time to the receiver, whose clock jumps. */
export function hasOwnTime({ sender }: Pick<Place, 'sender'>): boolean {
  return sender % 2 === 0
}

/** Every third sender speaks CloudEvents. */
export function isCloudEvents({ sender }: Pick<Place, 'sender'>): boolean {
  return sender % 3 === 2
}

export function eventText(place: Place, number: number): string {
  if (isCloudEvents(place)) return cloudEventText(place, number)
  const time = hasOwnTime(place) ? `"timestamp":"${SHARED_TIME}",` : ''
  return plainText(place, number, time)
}

function cloudEventText(place: Place, number: number): string {
  const time = hasOwnTime(place) ? `"time":"${SHARED_TIME}",` : ''
  const attributes = `${time}"specversion":"1.0","id":"${place.seed}-${number}","source":"/chaos/${place.sender}","type":"numbered"`
  if (number % 7 === 3) return `{${attributes},"n":${number},"data":"text of ${number}: größer"}`
  const data = plainText(place, number, '')
  return number % 7 === 5
    ? `{ "data": ${data} ,\t${attributes} }`
    : `{${attributes},"data":${data}}`
}

/** `time`: a member of its own, or ''. */
function plainText({ seed, round, sender }: Place, number: number, time: string): string {
  const id = `"n":${number},"sender":${sender},"round":${round},"campaign":${seed}`
  if (number % LONG_EVERY === 0)
    return `{${time}${id},"message":"long event ${number} ${'x'.repeat(LONG_CHARACTERS)}"}`
  switch (number % 6) {
    case 0:
      return `{${time}${id},"level":"ERROR","message":"numbered event ${number} failed: \\"quoted\\" \\\\ and \\u0007"}`
    case 1:
      return `{ ${time} ${id} ,\t"message" : "spaces of its own ${number}" }`
    case 2:
      return `{${time}${id},"message":"größer – 事件 ${number} 🙂","user":{"id":${number * 7},"tags":["a","b",null]}}`
    case 3:
      return `{"message":"the number comes last ${number}",${time}${id}}`
    case 4:
      return `{${time}${id},"message":"","duration":${number / 8},"ok":${number % 4 === 0}}`
    default:
      return `{${time}${id},"level":"INFO","message":"numbered event ${number} of sender ${sender}"}`
  }
}

/** The number that an event says it has; undefined when the event is not from a campaign. */
export function numberIn(raw: string): number | undefined {
  const digits = /"n":(\d+)/.exec(raw)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** As one body: one object a line, or one array. */
export function bodyText(place: Place, first: number, count: number): string {
  const texts = Array.from({ length: count }, (_, at) => eventText(place, first + at))
  return (first + count) % 5 === 0 ? `[${texts.join(',')}]` : texts.join('\n')
}
