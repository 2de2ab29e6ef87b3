// Events and bytes of one batch by quarter hour of receipt and of event, log, host and source
// (table `counts`).

export const QUARTER_MS = 900_000

export type Count = {
  /** Quarter hours since 1970. */
  readonly quarter: number
  readonly eventQuarter: number
  readonly slot: number
  readonly host: string
  readonly source: string
  events: number
  bytes: number
}

export class CountSums {
  #sums = new Map<string, Count>()
  /** The last count met, by slot and host: the next event of that host mostly falls into it. */
  #last: (Count | undefined)[][] = []

  reset(): void {
    this.#sums = new Map()
    this.#last = []
  }

  /** `hostIndex`: of the event's host in this batch. */
  add(
    slot: number,
    place: { readonly receivedMs: number; readonly source: string },
    event: { readonly timestampMs: number; readonly host: string; readonly size: number },
    hostIndex: number,
  ): void {
    const quarter = Math.floor(place.receivedMs / QUARTER_MS)
    const eventQuarter = Math.floor(event.timestampMs / QUARTER_MS)
    let byHost = this.#last[slot]
    if (byHost === undefined) {
      byHost = []
      this.#last[slot] = byHost
    }
    let count = byHost[hostIndex]
    if (
      count === undefined ||
      count.quarter !== quarter ||
      count.eventQuarter !== eventQuarter ||
      count.source !== place.source
    ) {
      count = this.#find({ quarter, eventQuarter, slot, host: event.host, source: place.source })
      byHost[hostIndex] = count
    }
    count.events += 1
    count.bytes += event.size
  }

  counts(): readonly Count[] {
    return [...this.#sums.values()]
  }

  #find(place: Omit<Count, 'events' | 'bytes'>): Count {
    const { quarter, eventQuarter, slot, host, source } = place
    const key = `${quarter} ${eventQuarter} ${slot} ${host.length} ${host} ${source}`
    let count = this.#sums.get(key)
    if (count === undefined) {
      count = { ...place, events: 0, bytes: 0 }
      this.#sums.set(key, count)
    }
    return count
  }
}
