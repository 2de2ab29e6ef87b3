import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { go } from '../../../shared/address.ts'
import { useAsked } from '../../../shared/asked.ts'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { findPlaces, type Place } from './places.ts'
import { readDashboards, readLogs, readPages, readSaved, searchPath } from './read-places.ts'
import { GO_TO_TEXTS as T } from './texts.ts'
import './go-to.css'

/** From the last key to the question for logs. */
const TYPING_MS = 120
const NONE: readonly Place[] = []

/** Every page, dashboard, saved search and log by its name. What cannot be read is left out. */
export function GoToDialog({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const dashboards = useAsked('dashboards', readDashboards).answer ?? NONE
  const saved = useAsked('saved', readSaved).answer ?? NONE
  const logs = useLogs(typed.trim())
  const pages = useMemo(readPages, [])
  const found = [
    ...findPlaces([...pages, ...dashboards, ...saved], typed),
    ...logs,
    ...(typed.trim() === ''
      ? NONE
      : [{ group: T.search, name: typed.trim(), href: searchPath(typed.trim()) }]),
  ]
  const chosen = found[Math.min(at, found.length - 1)]
  const leave = (place: Place) => {
    onClose()
    go(place.href)
  }
  return (
    <Dialog title={T.title} onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={T.typed}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${found.indexOf(chosen)}`}
        placeholder={T.typed}
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step !== undefined && found.length > 0) {
            event.preventDefault()
            setAt((Math.min(at, found.length - 1) + step + found.length) % found.length)
          }
          if (event.key === 'Enter' && chosen !== undefined) {
            event.preventDefault()
            leave(chosen)
          }
        }}
      />
      <ul id={id} class="go-to-list" role="listbox" aria-label={T.found}>
        {found.map((place, index) => (
          <li
            key={`${place.group} ${place.href}`}
            id={`${id}-${index}`}
            class="go-to-place"
            role="option"
            aria-selected={place === chosen}
            onMouseMove={() => setAt(index)}
            onClick={() => leave(place)}
          >
            <span class="go-to-group">{place.group}</span>
            <span class="go-to-name">{place.name}</span>
          </li>
        ))}
      </ul>
      <p class="soft">{T.help}</p>
    </Dialog>
  )
}

function useLogs(typed: string): readonly Place[] {
  const [logs, setLogs] = useState<{ readonly of: string; readonly places: readonly Place[] }>()
  useEffect(() => {
    if (typed === '') return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      readLogs(typed, ending.signal).then(
        (places) => setLogs({ of: typed, places }),
        () => undefined,
      )
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [typed])
  return logs?.of === typed ? logs.places : NONE
}
