// What the server knows of places: dashboards and saved searches at once, logs by what is typed.
import { BASE } from '../../../shared/address.ts'
import { listApps } from '../../../shared/api/apps.ts'
import { listSearches } from '../../../shared/api/saved-searches.ts'
import { completeQuery } from '../../../shared/api/search.ts'
import { session } from '../../../shared/api/session.ts'
import { placePath } from '../../dashboards/place.ts'
import { sectionPath } from '../../manage/section-path.ts'
import { mayOpenSection } from '../../manage/section-rights.ts'
import { MANAGE } from '../../manage/texts.ts'
import { PAGES } from '../pages.ts'
import type { Place } from './places.ts'
import { GO_TO_TEXTS as T } from './texts.ts'

const MOST_SEARCHES = 100
const MOST_LOGS = 8

export function readPages(): readonly Place[] {
  const pages = PAGES.filter(({ isUnlisted }) => !isUnlisted).map(({ name, path }) => ({
    ...{ group: T.pages, name, href: path },
  }))
  const sections: Place[] = []
  let id: keyof typeof MANAGE.pages
  for (id in MANAGE.pages)
    if (mayOpenSection(id, session.value))
      sections.push({ group: T.manage, name: MANAGE.pages[id], href: sectionPath(id) })
  return [...pages, ...sections]
}

export async function readDashboards(signal: AbortSignal): Promise<readonly Place[]> {
  const { apps } = await listApps(signal)
  return apps.flatMap((app) =>
    app.dashboards.map(({ name }) => ({
      ...{ group: T.dashboards, name: `${app.name} / ${name}`, href: placePath(app.name, name) },
    })),
  )
}

export async function readSaved(signal: AbortSignal): Promise<readonly Place[]> {
  const { searches } = await listSearches({ find: '', limit: MOST_SEARCHES }, signal)
  return searches.map(({ id, name }) => ({
    ...{ group: T.saved, name, href: `${BASE}/?saved=${id}` },
  }))
}

/** Of those that the user may view. */
export async function readLogs(typed: string, signal: AbortSignal): Promise<readonly Place[]> {
  const query = `* in log.${typed.trim()}`
  const asked = { interval: 'last24Hours', query, position: query.length, limit: MOST_LOGS }
  const { from, suggestions } = await completeQuery(asked, signal)
  return suggestions
    .filter(({ kind }) => kind === 'log')
    .map(({ text }) => {
      const inLog = `${query.slice(0, from)}${text}`
      return { group: T.logs, name: text, href: searchPath(inLog) }
    })
}

export function searchPath(query: string): string {
  return `${BASE}/?${new URLSearchParams({ query })}`
}
