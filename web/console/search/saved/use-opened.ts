// The saved search that the address names.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SavedSearch } from '../../../../schemas/public-calls/saved-searches.ts'
import { address, go } from '../../../shared/address.ts'
import { readSearch } from '../../../shared/api/saved-searches.ts'
import { printView, type SearchView } from '../run/view.ts'
import { viewOf } from './kept.ts'

/** undefined: none, or one that this user may not see. */
export const opened = signal<SavedSearch | undefined>(undefined)

export function openSearch(search: SavedSearch): void {
  opened.value = search
  go(printView(viewOf(search.search, search.id)))
}

/** An address that names it and nothing else shows it as it is saved. True: it is on its way. */
export function useOpened({ saved }: SearchView): boolean {
  const isAlone = saved !== undefined && [...address.value.parameters.keys()].length === 1
  const isKnown = opened.value?.id === saved
  useEffect(() => {
    if (saved === undefined) {
      opened.value = undefined
      return
    }
    if (isKnown && !isAlone) return
    const ending = new AbortController()
    readSearch(saved, ending.signal).then(
      (read) => {
        opened.value = read
        if (isAlone) go(printView(viewOf(read.search, read.id)), { isNew: false })
      },
      () => {
        if (ending.signal.aborted) return
        opened.value = undefined
        if (isAlone) go('/logeye/', { isNew: false })
      },
    )
    return () => ending.abort()
  }, [saved, isKnown, isAlone])
  return isAlone
}
