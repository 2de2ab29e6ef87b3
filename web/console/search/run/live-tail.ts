// Events as they arrive, by the server's stream. It goes on by itself after a cut; what comes while
// somebody reads waits and is counted.
import { batch, signal } from '@preact/signals'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { SEARCH_PATH, searchEvents } from '../../../shared/api/search.ts'
import { elapsedMs } from '../../../shared/clock.ts'
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
  const open = () => {
    if (ending.signal.aborted || unseenMs !== undefined) return
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
      // which this call waits for, or the store is away.
      if (opened.readyState !== EventSource.CLOSED) return
      const asked = searchEvents({ query: '*', limit: 1 }, ending.signal)
      asked.then(open, () => setTimeout(open, AGAIN_MS))
    }
  }
  /** When the stream was given back; absent while it is open. */
  let unseenMs: number | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    unseenMs = elapsedMs()
    source?.close()
  }
  const onSeen = () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'hidden') {
      leaving = setTimeout(leave, UNSEEN_MS)
      return
    }
    if (unseenMs === undefined) return
    const isLong = elapsedMs() - unseenMs > LONG_UNSEEN_MS
    unseenMs = undefined
    // Who has paused it reads: his list stays.
    if (!isLong || isPaused.value) return open()
    events.set()
    turnOfReturn.value += 1
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
    clearTimeout(leaving)
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
