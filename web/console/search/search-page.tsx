import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { address } from '../../shared/address.ts'
import { searchEvents } from '../../shared/api/search.ts'
import { FailureBanner } from '../../shared/parts/failure-banner.tsx'
import { splitQuery } from '../../shared/query/split-query.ts'
import { TimePicker } from '../time/time-picker.tsx'
import { changeView } from './acts.ts'
import { FacetList } from './aside/facet-list.tsx'
import { Histogram } from './chart/histogram.tsx'
import { focusQuery, QueryLine } from './editor/query-line.tsx'
import { FirstEvent } from './first-event.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { ResultArea } from './result-area.tsx'
import { turnOfReturn } from './run/live-tail.ts'
import { remember } from './run/recent.ts'
import {
  before,
  events,
  facets,
  histogram,
  readBefore,
  runSearch,
  stopSearch,
  table,
  warnings,
} from './run/search-run.ts'
import { givenOf, parseView, printAsked, rangeOf } from './run/view.ts'
import { RunButton } from './run-button.tsx'
import { SaveDialog } from './saved/save-dialog.tsx'
import { SavedDialog } from './saved/saved-dialog.tsx'
import { opened, useOpened } from './saved/use-opened.ts'
import { SearchBar } from './search-bar.tsx'
import { StaleLine } from './told/stale-line.tsx'
import { WarningList } from './told/warning-list.tsx'
import { useKeys } from './use-keys.ts'
import './search-page.css'

/** A bar of the histogram is about so wide. */
const BAR_PX = 11

export function SearchPage() {
  const view = parseView(address.value.parameters)
  const [draft, setDraft] = useState(view.query)
  const [turn, setTurn] = useState(0)
  /** Nothing was ever sent; until that is known the search is made. */
  const [isFirst, setFirst] = useState(false)
  const [dialog, setDialog] = useState<'keys' | 'save' | 'open'>()
  const [hasFacets, setFacets] = useState(false)
  const zone = view.zone ?? histogram.state.value.value?.histogram.timeZone
  const { isBusy, error } = events.state.value
  const { filter, stages } = splitQuery(view.query)

  // What is shown otherwise of the same search asks nothing.
  const asked = printAsked(view)
  const opening = useOpened(view)
  useEffect(() => {
    setFacets(false)
    if (isFirst || opening.isUnderWay) return
    void runSearch(parseView(address.value.parameters), Math.floor(innerWidth / BAR_PX))
  }, [asked, turn, turnOfReturn.value, isFirst, opening.isUnderWay])
  useEffect(() => {
    searchEvents({ query: '*', interval: 'allData', limit: 1 }).then(
      ({ data }) => setFirst(data.length === 0),
      () => setFirst(false),
    )
    return stopSearch
  }, [])

  const counted = histogram.state.value.value
  useEffect(() => {
    if (view.comparedWith === undefined || counted === undefined) {
      before.set(undefined)
      return
    }
    const ending = new AbortController()
    void readBefore(view, counted, ending.signal)
    return () => ending.abort()
  }, [view.comparedWith, counted])

  const run = (query: string) => {
    remember(query.trim())
    if (query.trim() === view.query) setTurn(turn + 1)
    else changeView({ query: query.trim(), tab: undefined })
  }
  const close = () => setDialog(undefined)
  const found = useCallback(() => setFirst(false), [])
  const keys = useMemo(
    () => ({
      '/': focusQuery,
      t: () => click('#time'),
      j: () => focus('#events'),
      k: () => focus('#events'),
      f: () => {
        setFacets(true)
        // Where they lie over the events they are drawn first.
        requestAnimationFrame(() => focus('#facets button'))
      },
      h: () => focus('#histogram'),
      l: () => click('#live'),
      s: () => setDialog('save'),
      o: () => setDialog('open'),
      '?': () => setDialog('keys'),
    }),
    [],
  )
  useKeys(keys)
  if (isFirst) return <FirstEvent onFound={found} />
  const failure = table.state.value.error ?? error
  return (
    <div class="search">
      <h1 class="aside">{filter || '*'}</h1>
      <div class="search-ask">
        <QueryLine
          query={view.query}
          error={failure}
          warnings={warnings.value}
          onChange={setDraft}
          onRun={run}
        />
        <TimePicker
          id="time"
          times={givenOf(view.range)}
          zones={{ chosen: view.zone, ofSystem: zone }}
          onChoose={({ times, zone }) =>
            changeView({ zone, ...(times ? { range: rangeOf(times) } : {}) })
          }
        />
        <RunButton isBusy={isBusy} onRun={() => run(draft)} />
      </div>
      {opening.failure !== undefined && (
        <FailureBanner error={opening.failure} onAgain={opening.again} />
      )}
      <WarningList
        warnings={warnings.value}
        error={failure}
        range={view.range}
        onApply={run}
        onRetry={() => setTurn(turn + 1)}
      />
      <StaleLine zone={zone} />
      <SearchBar
        view={view}
        hasFacets={hasFacets}
        onFacets={() => setFacets(!hasFacets)}
        onKeys={() => setDialog('keys')}
        onSave={() => setDialog('save')}
        onOpen={() => setDialog('open')}
      />
      {(error === undefined || counted !== undefined) && (
        <Histogram
          {...histogram.state.value}
          before={before.state.value.value}
          comparedWith={view.comparedWith}
        />
      )}
      <div class={`search-result ${hasFacets ? 'search-result-facets' : ''}`}>
        {(error === undefined || facets.state.value.value !== undefined) && (
          <FacetList view={view} />
        )}
        <ResultArea view={view} zone={zone} isTable={stages !== ''} />
      </div>
      {dialog === 'keys' && <KeysDialog onClose={close} />}
      {dialog === 'save' && <SaveDialog view={view} of={opened.value} onClose={close} />}
      {dialog === 'open' && <SavedDialog onClose={close} />}
    </div>
  )
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click()
}

function focus(selector: string): void {
  document.querySelector<HTMLElement | SVGElement>(selector)?.focus()
}
