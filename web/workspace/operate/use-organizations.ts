// Names of organizations, for lists of what is of many.
import { useEffect, useState } from 'preact/hooks'
import type { Organization } from '../../../schemas/portal/accounts.ts'
import { ask, withQuery } from '../api/ask.ts'
import type { Rows } from '../api/types.ts'

const PAGE = 200
/** Pages that are read; further ones are told by their ids. */
const MOST_PAGES = 10

/** By id. Empty until they are known, and where nobody wants them. */
export function useOrganizationNames(isWanted = true): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    if (!isWanted) return
    const ending = new AbortController()
    readNames(ending.signal).then(setNames, () => undefined)
    return () => ending.abort()
  }, [isWanted])
  return names
}

async function readNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = withQuery('/organizations', { limit: PAGE, cursor })
    const { data, nextCursor } = await ask<Rows<Organization>>(path, { signal })
    for (const { id, name } of data) names.set(id, name)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return names
}
