import { useCallback, useEffect, useState } from 'preact/hooks'
import { printCount } from '../../shared/format.ts'
import { lazy } from '../../shared/lazy.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { Tabs } from '../../shared/parts/tabs.tsx'
import { Awaited } from '../../shared/waiting/awaited.tsx'
import { Progress } from '../../shared/waiting/progress.tsx'
import { changeView } from './acts.ts'
import { ResultChart } from './chart/result-chart.tsx'
import { EmptyResult } from './empty-result.tsx'
import { EventList } from './events/event-list.tsx'
import { faultText } from './fault-text.ts'
import { ResultTable } from './result-table.tsx'
import { isCut, isPaused, showWaiting, startTail, waiting } from './run/live-tail.ts'
import { events, histogram, isUnread, more, readMore, table } from './run/search-run.ts'
import { filterOf, type SearchView, TABS } from './run/view.ts'
import { ShapeList } from './shapes/shape-list.tsx'
import { T } from './texts.ts'

export type ResultAreaProps = {
  readonly view: SearchView
  readonly zone: string | undefined
  /** The query has stages. */
  readonly isTable: boolean
}

export function ResultArea({ view, zone, isTable }: ResultAreaProps) {
  const tabs = isTable ? TABS : TABS.slice(0, 2)
  const tab = tabs.find((name) => name === view.tab) ?? (isTable ? 'table' : 'events')
  const [isAdding, setAdding] = useState(false)
  const { value: rows, isBusy: isReading, error: fault } = table.state.value
  const isTail = view.isLive && tab === 'events'
  const { isBusy: isFinding, value: found, error: eventsFault } = events.state.value
  const isBusy = isFinding || more.state.value.isBusy
  const isRows = tab === 'table' || tab === 'chart'
  const isStale = isRows
    ? fault !== undefined && rows !== undefined
    : tab === 'events' && eventsFault !== undefined && !!found?.events.length
  return (
    <section class="result-area" aria-label={T.tabList}>
      <Progress
        isBusy={tab === 'events' ? isBusy : isReading && tab !== 'shapes'}
        label={T.running}
      />
      <div class="result-tabs">
        <Tabs
          label={T.tabList}
          tabs={tabs.map((name) => ({ name, text: T.tabs[name] }))}
          chosen={tab}
          onChoose={(chosen) =>
            changeView({ tab: chosen === 'events' && !isTable ? undefined : chosen })
          }
        />
        {rows !== undefined && isRows && fault === undefined && (
          <span class="row soft">
            <span class="result-count">{T.foundRows(printCount(rows.numberOfResults))}</span>
            <Button look="plain" aria-haspopup="dialog" onClick={() => setAdding(true)}>
              {T.toDashboard.act}
            </Button>
          </span>
        )}
      </div>
      {isAdding && (
        <ToDashboardDialog
          {...{ view, isChart: tab === 'chart', onClose: () => setAdding(false) }}
        />
      )}
      {isTail && eventsFault === undefined && <TailBar />}
      <div class={`result-inside ${isStale ? 'stale' : ''}`}>
        {tab === 'events' && <FoundEventList view={view} zone={zone} isTail={isTail} />}
        {tab === 'shapes' && <ShapeList view={view} zone={zone} />}
        {isRows && rows === undefined && fault !== undefined && <NoResult />}
        {isRows && rows === undefined && isReading && <Awaited lines={8} isTable />}
        {tab === 'table' && rows !== undefined && <ResultTable table={rows} />}
        {tab === 'chart' && rows !== undefined && <ResultChart table={rows} />}
      </div>
    </section>
  )
}

const ToDashboardDialog = lazy(
  async () => (await import('./to-dashboard/to-dashboard-dialog.tsx')).ToDashboardDialog,
)

type FoundProps = Omit<ResultAreaProps, 'isTable'> & { readonly isTail: boolean }

function FoundEventList({ view, zone, isTail }: FoundProps) {
  const { value, isBusy, error } = events.state.value
  const { value: counted, isBusy: isCounting, error: countFault } = histogram.state.value
  // The stream goes on behind the events of its own query, and not of a search that failed.
  const isThere = value?.asked.query === filterOf(view) && error === undefined
  const { query } = view
  useEffect(() => {
    if (!isTail || !isThere) return
    return startTail(view, events.state.peek().value?.tailId)
  }, [isTail, isThere, query])
  const onRead = useCallback((isReading: boolean) => {
    isPaused.value = isReading
    if (!isReading) showWaiting()
  }, [])
  if (error !== undefined && !value?.events.length) return <NoResult />
  // An empty list would say that nothing was found. It is not so while a search is under way, while
  // its events are being counted, and while they were counted and cannot be read yet.
  const isEmpty = value?.events.length === 0 && !isTail
  const isOpen = isBusy || (isEmpty && (isCounting || isUnread.value))
  if (isOpen && (isEmpty || value === undefined)) return <Awaited lines={24} isTable />
  if (value === undefined) return null
  const total = countFault === undefined ? (counted?.total ?? 0) : 0
  if (isEmpty && total > 0) return <Empty title={T.unread(printCount(total))}>{T.unreadWay}</Empty>
  if (isEmpty) return <EmptyResult view={view} />
  return (
    <EventList
      view={view}
      events={value.events}
      zone={zone}
      foot={<Foot isEnd={value.cursor === null} />}
      onEnd={() => {
        if (more.state.peek().error === undefined) void readMore()
      }}
      onRead={onRead}
    />
  )
}

function Foot({ isEnd }: { readonly isEnd: boolean }) {
  const { error } = more.state.value
  if (events.state.value.error !== undefined) return null
  if (isEnd) return <>{T.end}</>
  if (error === undefined) return <>{T.loadMore}</>
  return (
    <>
      {faultText(error)} <Button onClick={() => void readMore()}>{T.readMore}</Button>
    </>
  )
}

/** The failure itself stands below the query. */
function NoResult() {
  return <p class="result-none">{T.noResult}</p>
}

function TailBar() {
  return (
    <div class="tail-bar" role="status">
      <span class="live-dot live-dot-on" /> {T.live}
      <Button
        look="plain"
        onClick={() => {
          isPaused.value = !isPaused.value
          if (!isPaused.value) showWaiting()
        }}
      >
        {isPaused.value ? T.go : T.pause}
      </Button>
      {waiting.value.length > 0 && isPaused.value && (
        <Button onClick={showWaiting}>↑ {T.waiting(waiting.value.length)}</Button>
      )}
      {isCut.value && <span class="soft">{T.liveCut}</span>}
    </div>
  )
}
