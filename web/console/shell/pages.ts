// The pages of the console, by the beginning of their path. A further page is a line here.
import type { ComponentType } from 'preact'
import { BASE } from '../../shared/address.ts'
import { lazy } from '../../shared/lazy.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { SearchPage } from '../search/search-page.tsx'

export type Page = {
  /** Itself and everything below it. */
  readonly path: string
  /** In the bar. */
  readonly name: string
  readonly Content: ComponentType
  /** Found by its address alone. */
  readonly isUnlisted?: true
}

export const PAGES: readonly Page[] = [
  { path: `${BASE}/`, name: TEXTS.shell.search, Content: SearchPage },
  {
    path: `${BASE}/dashboards`,
    name: TEXTS.shell.dashboards,
    Content: lazy(async () => (await import('../dashboards/dashboards-page.tsx')).DashboardsPage),
  },
  {
    path: `${BASE}/manage`,
    name: TEXTS.shell.manage,
    Content: lazy(async () => (await import('../manage/manage-page.tsx')).ManagePage),
  },
  {
    ...{ path: `${BASE}/parts`, name: 'Parts', isUnlisted: true },
    Content: lazy(async () => (await import('../parts/parts-page.tsx')).PartsPage),
  },
]

export function findPage(path: string): Page | undefined {
  return PAGES.find((page) => (page.path.endsWith('/') ? path === page.path : isBelow(path, page)))
}

function isBelow(path: string, page: Page): boolean {
  return path === page.path || path.startsWith(`${page.path}/`)
}
