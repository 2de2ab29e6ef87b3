// Searches that this browser has run, the newest first.
import { signal } from '@preact/signals'

const KEY = 'logeye.recent'
const MOST = 30

export const recent = signal<readonly string[]>(read())

export function remember(query: string): void {
  if (query.trim() === '' || query === recent.value[0]) return
  recent.value = [query, ...recent.value.filter((one) => one !== query)].slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(recent.value))
  } catch {
    // Without a place to keep them they last as long as the page.
  }
}

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}
