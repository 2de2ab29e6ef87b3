// Our one addition to ClickHouse's interface; a server ignores it. Says when a request was sent, so
// that the embedded store can tell a request that was given up and killed, but only now comes out
// of its socket, from one that came after the kill. Two requests of one machine are compared by its
// steady clock, since the time of day can be set back between them; others by the time of day.
import { readFileSync } from 'node:fs'
import type { Clock } from '../clock.ts'

export const SENT_HEADER = 'x-logeye-sent'

export type Sent = {
  readonly timeMs: number
  /** '' where it cannot be told. */
  readonly machine: string
  readonly steadyMs: number
}

const MACHINE = readMachine()
const FORM = /^(\d+(?:\.\d+)?) ([\w-]*) (\d+(?:\.\d+)?)$/

export function printSent(clock: Pick<Clock, 'nowMs' | 'elapsedMs'>, machine = MACHINE): string {
  return `${clock.nowMs()} ${machine} ${clock.elapsedMs().toFixed(3)}`
}

/** Undefined for what is not ours. */
export function parseSent(text: string): Sent | undefined {
  const [, timeMs, machine, steadyMs] = FORM.exec(text) ?? []
  if (timeMs === undefined || machine === undefined) return undefined
  return { timeMs: Number(timeMs), machine, steadyMs: Number(steadyMs) }
}

/** Also true of two of one moment. */
export function isSentBefore(sent: Sent, other: Sent): boolean {
  const isOneMachine = sent.machine !== '' && sent.machine === other.machine
  return isOneMachine ? sent.steadyMs <= other.steadyMs : sent.timeMs <= other.timeMs
}

/** Another after each start of the machine: its steady clock begins anew then. */
function readMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}
