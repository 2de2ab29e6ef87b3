// Places in the event log as the outside sees them: ids of events, cursors of pages, positions of a
// live tail. They are encrypted: offsets would tell how much arrives in logs that the reader may
// not see, and so would their length. An event has always the same id; a cursor or position is
// another text each time, since two equal ones would tell that nothing has arrived between them.
// One that was changed is refused (synthetic initialization vector: the mark of the plain text is
// also the counter it is encrypted with).
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../infra/clock.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Arrived, EventPlace } from '../language/event-place.ts'

export type PageCursor = {
  readonly window: TimeWindow
  /** What `now` was; absent in a cursor of an earlier version. */
  readonly nowMs: number | undefined
  readonly after: EventPlace
  readonly arrived: Arrived
}

const MARK_BYTES = 16
const SALT_BYTES = 9
/** More than any id of an event has; longer texts are a multiple of it. */
const PADDED_BYTES = 96
const KIND = { event: 1, cursor: 2, position: 3 } as const
type Kind = keyof typeof KIND

const whole = z.int().min(0)
const arrivedSchema = z.array(z.tuple([whole, whole]))
const edge = z.int().nullable()
const cursorSchema = z.tuple([
  edge,
  edge,
  z.string().regex(/^-?\d{1,19}$/),
  whole,
  whole,
  whole,
  arrivedSchema,
  z.int().nullish(),
])
const eventSchema = z.tuple([z.string().regex(/^-?\d{1,19}$/), whole, whole, whole])

export class PlaceCodec {
  readonly #markKey: Uint8Array
  readonly #cipherKey: Uint8Array
  readonly #clock: Pick<Clock, 'randomBytes'>

  /** `key`: 32 bytes, the same in every query process. */
  constructor(key: Uint8Array, clock: Pick<Clock, 'randomBytes'>) {
    this.#clock = clock
    this.#markKey = new Uint8Array(hkdfSync('sha256', key, '', 'mark', 32))
    this.#cipherKey = new Uint8Array(hkdfSync('sha256', key, '', 'cipher', 32))
  }

  printEvent({ timestampNs, partition, offset, index }: EventPlace): string {
    return this.#seal('event', [timestampNs, partition, offset, index])
  }

  /** Undefined for a text that we did not make. */
  parseEvent(text: string): EventPlace | undefined {
    const found = this.#open('event', text, eventSchema)
    if (found === undefined) return undefined
    const [timestampNs, partition, offset, index] = found
    return { timestampNs, partition, offset, index }
  }

  printCursor({ window, nowMs, after, arrived }: PageCursor): string {
    const { timestampNs, partition, offset, index } = after
    const place = [timestampNs, partition, offset, index]
    return this.#seal('cursor', [window.startMs, window.endMs, ...place, toPairs(arrived), nowMs])
  }

  parseCursor(text: string): PageCursor | undefined {
    const found = this.#open('cursor', text, cursorSchema)
    if (found === undefined) return undefined
    const [startMs, endMs, timestampNs, partition, offset, index, arrived, nowMs] = found
    const after = { timestampNs, partition, offset, index }
    return {
      window: { startMs, endMs },
      nowMs: nowMs ?? undefined,
      after,
      arrived: fromPairs(arrived),
    }
  }

  printPosition(arrived: Arrived): string {
    return this.#seal('position', toPairs(arrived))
  }

  parsePosition(text: string): Arrived | undefined {
    const found = this.#open('position', text, arrivedSchema)
    return found === undefined ? undefined : fromPairs(found)
  }

  #seal(kind: Kind, value: unknown): string {
    const salt = kind === 'event' ? '' : this.#clock.randomBytes(SALT_BYTES).toString('base64url')
    const text = JSON.stringify([KIND[kind], value, salt])
    // Spaces behind a JSON text are none of it.
    const length = Math.ceil(text.length / PADDED_BYTES) * PADDED_BYTES
    const plain = Buffer.from(text.padEnd(length, ' '))
    const mark = this.#markOf(plain)
    const cipher = createCipheriv('aes-256-ctr', this.#cipherKey, mark)
    return Buffer.concat([mark, cipher.update(plain), cipher.final()]).toString('base64url')
  }

  #open<Value>(kind: Kind, text: string, schema: z.ZodType<Value>): Value | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= MARK_BYTES) return undefined
    const mark = bytes.subarray(0, MARK_BYTES)
    const cipher = createDecipheriv('aes-256-ctr', this.#cipherKey, mark)
    const plain = Buffer.concat([cipher.update(bytes.subarray(MARK_BYTES)), cipher.final()])
    if (!timingSafeEqual(this.#markOf(plain), mark)) return undefined
    const sealed = z.tuple([z.literal(KIND[kind]), schema, z.string()])
    const parsed = sealed.safeParse(JSON.parse(plain.toString()))
    return parsed.success ? parsed.data[1] : undefined
  }

  #markOf(plain: Uint8Array): Buffer {
    return createHmac('sha256', this.#markKey).update(plain).digest().subarray(0, MARK_BYTES)
  }
}

function toPairs(arrived: Arrived): [number, number][] {
  return arrived.map(({ offset, index }) => [offset, index])
}

function fromPairs(pairs: readonly [number, number][]): Arrived {
  return pairs.map(([offset, index]) => ({ offset, index }))
}
