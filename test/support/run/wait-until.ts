// The only wait of the tests: for a state, never for a time.
import { systemClock } from '../../../infra/clock.ts'

/** Shared by all waits. Far longer than any state takes on a busy machine: it only ends waits for a
 *  state that never comes. */
export const WAIT_LIMIT_MS = 240_000
const INTERVAL_MS = 10
const MAX_SHOWN_CHARS = 2000

type Settled<T> = Exclude<T, undefined | null | false>

/**
 * Polls `read` until it returns something other than undefined, null or false, and returns that.
 * After `WAIT_LIMIT_MS` it throws an error with `state` and what `saw` returns then. An error of
 * `read` ends the wait at once.
 */
export async function waitUntil<T>(
  state: string,
  read: () => T | Promise<T>,
  saw?: () => unknown,
): Promise<Settled<T>> {
  const deadlineMs = systemClock.elapsedMs() + WAIT_LIMIT_MS
  for (;;) {
    const value = await read()
    if (isSettled(value)) return value
    if (systemClock.elapsedMs() > deadlineMs) {
      const last = saw === undefined ? value : await saw()
      throw new Error(`waited ${WAIT_LIMIT_MS} ms until ${state}; saw ${show(last)}`)
    }
    await systemClock.sleep(INTERVAL_MS)
  }
}

/** Calls `act` again and again until `isOver`, one call after the other: a load, a reader that
 *  follows. Rejects with the error of a call. */
export async function repeatUntil(
  isOver: () => boolean,
  act: () => Promise<unknown> | unknown,
): Promise<void> {
  while (!isOver()) {
    await act()
    await systemClock.sleep(INTERVAL_MS)
  }
}

function isSettled<T>(value: T): value is Settled<T> {
  return value !== undefined && value !== null && value !== false
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.slice(0, MAX_SHOWN_CHARS)
}
