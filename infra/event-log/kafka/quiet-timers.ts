// kafkajs (2.2.4) sets timers of negative length, of which Node warns on stderr from 24 on:
// https://github.com/tulios/kafkajs/issues/1751. Can go with a kafkajs that does not.

let isQuiet = false

/** Drops that warning, in the whole process, and no other. */
export function quietNegativeTimers(): void {
  if (isQuiet) return
  isQuiet = true
  const emit = process.emitWarning
  process.emitWarning = (...given: unknown[]) => {
    if (given[1] !== 'TimeoutNegativeWarning') Reflect.apply(emit, process, given)
  }
}
