// The texts of going to a place by its name.

export const GO_TO_TEXTS = {
  title: 'Go to',
  button: 'Go to …',
  key: 'Ctrl K',
  typed: 'A page, log, dashboard or saved search',
  found: 'Places',
  pages: 'Page',
  manage: 'Manage',
  dashboards: 'Dashboard',
  saved: 'Saved search',
  logs: 'Log',
  search: 'Search for',
  none: 'Nothing is called so.',
  help: 'Arrows choose, Enter goes there, Escape closes.',
} as const
