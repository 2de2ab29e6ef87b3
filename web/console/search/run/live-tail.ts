// Events as they arrive, by the server's stream. It goes on by itself after a cut; what comes while
// somebody reads waits and is counted.
import { batch, signal } from '@preact/signals'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { SEARCH_PATH } from '../../../shared/api/search.ts'
import { splitQuery } from '../../../shared/query/split-query.ts'
import { events } from './search-run.ts'
import type { SearchView } from './view.ts'

/** The page holds no more: an hour of a busy log must not fill the memory. */
const MOST = 2000
/** What came is shown at once for all of it: a redraw for each would stop the page. */
const SHOW_MS = 150

export const waiting = signal<readonly EventAnswer[]>([])
export const isPaused = signal(false)
/** The stream is cut, and the browser tries again. */
export const isCut = signal(false)

/** Gives what ends it. */
export function startTail(view: SearchView, lastEventId: string | undefined): () => void {
  const parameters = new URLSearchParams({ query: splitQuery(view.query).filter || '*' })
  if (lastEventId !== undefined) parameters.set('lastEventId', lastEventId)
  const source = new EventSource(`${SEARCH_PATH}/tail?${parameters}`)
  let arrived: EventAnswer[] = []
  source.onmessage = ({ data }) => {
    if (typeof data === 'string' && data !== '') arrived.push(JSON.parse(data))
  }
  source.onopen = () => {
    isCut.value = false
  }
  source.onerror = () => {
    isCut.value = true
  }
  const timer = setInterval(() => {
    if (arrived.length === 0) return
    waiting.value = [...waiting.value, ...arrived].slice(-MOST)
    arrived = []
    if (!isPaused.value) showWaiting()
  }, SHOW_MS)
  return () => {
    source.close()
    clearInterval(timer)
    isCut.value = false
    waiting.value = []
  }
}

/** The newest on top. */
export function showWaiting(): void {
  const { value } = events.state.value
  if (waiting.value.length === 0) return
  const known = value?.events ?? []
  const seen = new Set(known.slice(0, MOST).map(({ id }) => id))
  const fresh = waiting.value.filter(({ id }) => !seen.has(id)).reverse()
  batch(() => {
    events.set({
      events: [...fresh, ...known].slice(0, MOST),
      cursor: null,
      tailId: value?.tailId ?? '',
    })
    waiting.value = []
  })
}
