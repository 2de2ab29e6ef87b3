// Events as they arrive, by the server's stream. It goes on by itself after a cut; what comes while
// somebody reads waits and is counted.
import { batch, signal } from '@preact/signals'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { SEARCH_PATH, searchEvents } from '../../../shared/api/search.ts'
import { nowMs } from '../../../shared/clock.ts'
import { events } from './search-run.ts'
import { filterOf, type SearchView } from './view.ts'

/** The page holds no more: an hour of a busy log must not fill the memory. */
const MOST = 2000
/** What came is shown at once for all of it: a redraw for each would stop the page. */
const SHOW_MS = 150
const AGAIN_MS = 2000
/** A page that is out of sight for so long gives its connection back: of HTTP/1.1 a browser holds
 *  six for all its tabs together. */
const UNSEEN_MS = 10_000
/** After so long the newest events are asked for, in place of all that came meanwhile. */
const LONG_UNSEEN_MS = 300_000

export const waiting = signal<readonly EventAnswer[]>([])
export const isPaused = signal(false)
/** Where the stream stands behind those that wait. */
let waitingTo: string | undefined
/** The stream is cut, and the browser tries again. */
export const isCut = signal(false)
/** Rises when the search is to be made anew, after the page was long out of sight. */
export const turnOfReturn = signal(0)

/** Gives what ends it. */
export function startTail(view: SearchView, lastEventId: string | undefined): () => void {
  const parameters = new URLSearchParams({ query: filterOf(view) })
  const ending = new AbortController()
  let source: EventSource | undefined
  let lastId = lastEventId
  let arrived: EventAnswer[] = []
  /** Out of sight: the stream was given back. */
  let isAway = false
  /** When; absent while it goes on. */
  let leftMs: number | undefined
  let trying: ReturnType<typeof setTimeout> | undefined
  /** Rises with whatever puts an end to trying. */
  let turn = 0
  const open = () => {
    turn += 1
    leftMs = undefined
    clearTimeout(trying)
    if (lastId !== undefined) parameters.set('lastEventId', lastId)
    source?.close()
    const opened = new EventSource(`${SEARCH_PATH}/tail?${parameters}`)
    source = opened
    opened.onmessage = ({ data, lastEventId: id }) => {
      if (id !== '') lastId = id
      if (typeof data === 'string' && data !== '') arrived.push(JSON.parse(data))
    }
    opened.onopen = () => {
      isCut.value = false
    }
    opened.onerror = () => {
      isCut.value = true
      // A stream that was refused is not tried again by the browser: the session may have ended,
      // which this call waits for, the store is away, or too many are open.
      if (opened.readyState !== EventSource.CLOSED) return
      whenAnswered(() => {
        trying = setTimeout(open, AGAIN_MS)
      })
    }
  }
  /** Once the server answers searches, unless something else has begun by then. */
  const whenAnswered = (then: () => void) => {
    turn += 1
    const own = turn
    const again = () => {
      if (own !== turn) return
      isCut.value = true
      trying = setTimeout(() => whenAnswered(then), AGAIN_MS)
    }
    clearTimeout(trying)
    searchEvents({ query: '*', limit: 1 }, ending.signal).then(() => {
      if (own === turn) then()
    }, again)
  }
  let leaving: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    turn += 1
    isAway = true
    leftMs ??= nowMs()
    clearTimeout(trying)
    source?.close()
  }
  const onSeen = () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'hidden') {
      leaving = setTimeout(leave, UNSEEN_MS)
      return
    }
    if (!isAway) return
    isAway = false
    // Who has paused it reads: his list stays.
    const isLong = leftMs !== undefined && nowMs() - leftMs > LONG_UNSEEN_MS
    if (!isLong || isPaused.value) return open()
    whenAnswered(() => {
      events.set()
      turnOfReturn.value += 1
    })
  }
  document.addEventListener('visibilitychange', onSeen)
  onSeen()
  open()
  const timer = setInterval(() => {
    if (arrived.length > 0) {
      waiting.value = [...waiting.value, ...arrived].slice(-MOST)
      waitingTo = lastId
    }
    arrived = []
    if (!isPaused.value) showWaiting()
  }, SHOW_MS)
  return () => {
    ending.abort()
    turn += 1
    clearTimeout(leaving)
    clearTimeout(trying)
    document.removeEventListener('visibilitychange', onSeen)
    source?.close()
    clearInterval(timer)
    isCut.value = false
    waiting.value = []
    waitingTo = undefined
  }
}

/** The newest on top. While a search is under way they wait: else its answer would be put aside. */
export function showWaiting(): void {
  const { value, isBusy } = events.state.value
  if (waiting.value.length === 0 || isBusy) return
  const known = value?.events ?? []
  const seen = new Set(known.slice(0, MOST).map(({ id }) => id))
  const fresh = waiting.value.filter(({ id }) => !seen.has(id)).reverse()
  batch(() => {
    events.set({
      events: [...fresh, ...known].slice(0, MOST),
      asked: value?.asked ?? { query: '*' },
      cursor: null,
      // What is live again goes on here.
      tailId: waitingTo ?? value?.tailId ?? '',
    })
    waiting.value = []
  })
}
