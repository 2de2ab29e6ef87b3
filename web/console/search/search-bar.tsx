import { session } from '../../shared/api/session.ts'
import { printChange, printCount } from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Menu } from '../../shared/parts/menu.tsx'
import { mayOpenSection } from '../manage/section-rights.ts'
import { changeView } from './acts.ts'
import { ExportMenu } from './export-menu.tsx'
import { compareItems, lookItems, MoreMenu, monitorPath } from './more-menu.tsx'
import { before, histogram, LEVEL, tookMs } from './run/search-run.ts'
import type { ComparedWith, SearchView } from './run/view.ts'
import { windowBefore } from './run/window-before.ts'
import { isChanged } from './saved/kept.ts'
import { opened } from './saved/use-opened.ts'
import { ShareMenu } from './share-menu.tsx'
import { T } from './texts.ts'

const SPLITS = [LEVEL, 'log', 'host', 'source']

export type SearchBarProps = {
  readonly view: SearchView
  /** Shown over the events, where there is no room beside them. */
  readonly hasFacets: boolean
  readonly onFacets: () => void
  readonly onKeys: () => void
  readonly onSave: () => void
  readonly onOpen: () => void
}

/** How much was found and how fast, and what can be done with it. */
export function SearchBar(props: SearchBarProps) {
  const { view, hasFacets, onFacets, onKeys, onSave, onOpen } = props
  const { value, isBusy, error } = histogram.state.value
  const by = view.by ?? LEVEL
  return (
    <div class="search-bar">
      <p class="search-found" role="status">
        {value !== undefined && (
          <strong class={error && 'stale'}>{T.found(printCount(value.total))}</strong>
        )}
        {value === undefined && isBusy && T.counting}
        {value !== undefined && tookMs.value !== undefined && (
          <span class="soft">{T.seconds((tookMs.value / 1000).toFixed(2))}</span>
        )}
        {view.comparedWith !== undefined && <Change comparedWith={view.comparedWith} />}
      </p>
      <OpenedName view={view} />
      <span class="grow" />
      <Button
        class="search-facets"
        look="plain"
        isOn={hasFacets}
        aria-expanded={hasFacets}
        aria-controls="facets"
        onClick={onFacets}
      >
        {T.facets}
      </Button>
      <Menu
        label={
          <span>
            <span class="search-long">{T.splitBy} </span>
            {by === '' ? T.noSplit : by} ▾
          </span>
        }
        title={`${T.splitBy} ${by === '' ? T.noSplit : by}`}
        items={[...new Set([...SPLITS, ...view.columns, ''])].map((name) => ({
          name: name === '' ? T.noSplit : name,
          isOn: name === by,
          onChoose: () => changeView({ by: name === LEVEL ? undefined : name }),
        }))}
      />
      <Button id="open" look="plain" aria-haspopup="dialog" onClick={onOpen}>
        {T.saved.open}
      </Button>
      <span class="search-wide">
        <Menu
          class={view.comparedWith === undefined ? '' : 'button-on'}
          label={`${view.comparedWith === undefined ? T.compare.name : T.compare.now[view.comparedWith]} ▾`}
          items={compareItems(view)}
        />
        <Button id="save" look="plain" aria-haspopup="dialog" onClick={onSave}>
          {T.saved.keepShort}
        </Button>
        <ShareMenu view={view} />
        <ExportMenu view={view} />
        {mayOpenSection('monitors', session.value) && (
          <a class="button button-plain" title={T.monitor.help} href={monitorPath(view)}>
            {T.monitor.name}
          </a>
        )}
        <Menu label={`${T.look} ▾`} items={lookItems(view)} />
      </span>
      <Button
        id="live"
        look="plain"
        isOn={view.isLive}
        onClick={() => changeView({ isLive: !view.isLive })}
      >
        <span class={view.isLive ? 'live-dot live-dot-on' : 'live-dot'} /> {T.live}
      </Button>
      <span class="search-narrow">
        <MoreMenu view={view} onSave={onSave} />
      </span>
      <Button class="search-keys" look="plain" aria-label={T.keysTitle} onClick={onKeys}>
        ?
      </Button>
    </div>
  )
}

/** From the earlier time to this one. */
function Change({ comparedWith }: { readonly comparedWith: ComparedWith }) {
  const { value: now } = histogram.state.value
  const { value: then } = before.state.value
  if (now === undefined) return null
  if (windowBefore(now.histogram, comparedWith) === undefined)
    return <span class="soft">{T.compare.none}</span>
  if (then === undefined) return null
  const change = printChange(then.total, now.total) ?? T.compare.from0[comparedWith]
  return (
    <span class="search-change">
      {then.total === 0 ? change : T.compare.told[comparedWith](change, printCount(then.total))}
    </span>
  )
}

/** Of the saved search that is open, and whether the page shows it as it is saved. */
function OpenedName({ view }: { readonly view: SearchView }) {
  const { value } = opened
  if (value === undefined || view.saved === undefined) return null
  return (
    <span class="search-opened" title={value.description}>
      {value.name}
      {isChanged(view, value) && <span class="soft"> · {T.saved.changed}</span>}
    </span>
  )
}
