// The saved search that the address names.
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { SavedSearch } from '../../../../schemas/public-calls/saved-searches.ts'
import { address, go } from '../../../shared/address.ts'
import { CallError } from '../../../shared/api/call.ts'
import { readSearch } from '../../../shared/api/saved-searches.ts'
import { printView, type SearchView } from '../run/view.ts'
import { viewOf } from './kept.ts'

/** There is none, or the user may not see it. */
const GONE: readonly number[] = [403, 404]

/** undefined: none, or one that this user may not see. */
export const opened = signal<SavedSearch | undefined>(undefined)

export function openSearch(search: SavedSearch): void {
  opened.value = search
  go(printView(viewOf(search.search, search.id)))
}

export type Opening = {
  /** The address names a saved search alone, and what that asks is not known yet. */
  readonly isUnderWay: boolean
  /** It could not be read now; the address stays. */
  readonly failure: CallError | undefined
  readonly again: () => void
}

/** An address that names it and nothing else shows it as it is saved. */
export function useOpened({ saved }: SearchView): Opening {
  const [failure, setFailure] = useState<CallError>()
  const [tries, setTries] = useState(0)
  const isAlone = saved !== undefined && [...address.value.parameters.keys()].length === 1
  const isKnown = opened.value?.id === saved
  useEffect(() => {
    setFailure(undefined)
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
      (error: unknown) => {
        if (ending.signal.aborted) return
        opened.value = undefined
        if (!isAlone) return
        if (error instanceof CallError && !GONE.includes(error.status)) setFailure(error)
        else go('/logeye/', { isNew: false })
      },
    )
    return () => ending.abort()
  }, [saved, isKnown, isAlone, tries])
  return { isUnderWay: isAlone, failure, again: () => setTries((before) => before + 1) }
}
