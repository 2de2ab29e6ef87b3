// Searches that the user has run in this browser, the newest first. Others use it, too.
import { computed, effect, signal } from '@preact/signals'
import { session } from '../../../shared/api/session.ts'

const MOST = 30

const user = computed(() => session.value?.user)
export const recent = signal<readonly string[]>([])
effect(() => {
  recent.value = read(keyOf(user.value))
})

export function remember(query: string): void {
  if (query.trim() === '' || query === recent.value[0]) return
  recent.value = [query, ...recent.value.filter((one) => one !== query)].slice(0, MOST)
  try {
    localStorage.setItem(keyOf(user.value), JSON.stringify(recent.value))
  } catch {
    // Without a place to keep them they last as long as the page.
  }
}

function keyOf(name: string | undefined): string {
  return `logeye.recent.${name ?? ''}`
}

function read(key: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}
