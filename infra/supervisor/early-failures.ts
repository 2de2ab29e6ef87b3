// Whether a process that ends before it was ever ready can come up at all: what ends it three times
// in the same way will do so for ever. Waiting is no failing: an engine that is away is said by
// failures that are retriable, and those are not counted.

const MAX_TRIES = 3

/** How a life ended. */
export type Ending = {
  readonly status: number | null
  readonly signal: string | null
  /** What it said before; undefined when it could not. */
  readonly failing: { readonly reason: string; readonly isPassing: boolean } | undefined
  /** Everything was open. */
  readonly hasRun: boolean
}

export class EarlyFailures {
  #hasBeenReady = false
  #last = ''
  #count = 0

  /** From now on whatever ends it is a fault that passes with a new start. */
  ready(): void {
    this.#hasBeenReady = true
  }

  /** True when another try is of no use. */
  add(ending: Ending): boolean {
    if (this.#hasBeenReady || isFromOutside(ending) || ending.failing?.isPassing === true) {
      this.#count = 0
      return false
    }
    const kind = kindOf(ending)
    this.#count = kind === this.#last ? this.#count + 1 : 1
    this.#last = kind
    return this.#count >= MAX_TRIES
  }
}

/** Somebody killed what ran; one that is killed while it opens its engines takes more memory than
 *  there is. */
function isFromOutside({ signal, hasRun }: Ending): boolean {
  return hasRun && (signal === 'SIGKILL' || signal === 'SIGTERM')
}

/** Ports, process ids and addresses in memory differ from try to try. */
function kindOf({ status, signal, failing }: Ending): string {
  const reason = (failing?.reason ?? '').replace(/0x[0-9a-f]+|\d+/gi, '#')
  return `${status} ${signal} ${reason}`
}

/** One line for the user. */
export function describeEnding(name: string, ending: Ending): string {
  return `the process ${name} failed ${MAX_TRIES} times in the same way before it was ready: ${whyOf(ending)}`
}

function whyOf({ status, signal, failing }: Ending): string {
  if (failing !== undefined) return failing.reason
  if (signal === 'SIGKILL')
    return 'it was killed (SIGKILL): most often the machine has too little memory'
  if (signal !== null) return `it crashed (${signal})`
  return status === null ? 'it could not be started' : `it ended with status ${status}`
}
