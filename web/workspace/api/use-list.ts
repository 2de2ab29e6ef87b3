// A list of the API in pages: the first is asked for at once, the next ones on demand.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { CallError, isAborted } from '../../shared/api/call.ts'
import { ask, withQuery } from './ask.ts'
import type { Rows } from './types.ts'

const PAGE = 50

export type Listed<Row> = {
  readonly rows: readonly Row[] | undefined
  readonly error: CallError | undefined
  readonly isBusy: boolean
  readonly hasMore: boolean
  readonly more: () => void
  readonly again: () => void
}

type State<Row> = {
  readonly path: string
  readonly rows: readonly Row[] | undefined
  readonly cursor: string | null
}

/** `path` with its parameters; another path is another list. `as`: see ask.ts. */
export function useList<Row>(path: string, as?: string): Listed<Row> {
  const [state, setState] = useState<State<Row>>({ path, rows: undefined, cursor: null })
  const [error, setError] = useState<CallError>()
  const [isBusy, setBusy] = useState(true)
  /** `cursor` undefined: from the beginning. */
  const [wanted, setWanted] = useState<{ path: string; cursor?: string }>()
  const asked = wanted?.path === path ? wanted : undefined
  useEffect(() => {
    const ending = new AbortController()
    setBusy(true)
    const cursor = asked?.cursor
    const [base = '', given = ''] = path.split('?')
    const parameters = Object.fromEntries(new URLSearchParams(given))
    ask<Rows<Row>>(withQuery(base, { ...parameters, limit: PAGE, cursor }), {
      signal: ending.signal,
      as,
    }).then(
      ({ data, nextCursor }) => {
        if (ending.signal.aborted) return
        setState((before) => ({
          path,
          rows: cursor === undefined ? data : [...(before.rows ?? []), ...data],
          cursor: nextCursor,
        }))
        setError(undefined)
        setBusy(false)
      },
      (thrown: unknown) => {
        if (ending.signal.aborted || isAborted(thrown)) return
        setError(thrown instanceof CallError ? thrown : new CallError(String(thrown), {}))
        setBusy(false)
      },
    )
    return () => ending.abort()
  }, [path, asked])
  const again = useCallback(() => setWanted({ path }), [path])
  const isOwn = state.path === path
  return {
    rows: isOwn ? state.rows : undefined,
    error,
    isBusy,
    hasMore: isOwn && state.cursor !== null,
    more: () => {
      if (state.cursor !== null) setWanted({ path, cursor: state.cursor })
    },
    again,
  }
}
