// How this browser shows the pages: theme and density, kept beside the page and put on <html>.
import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['compact', 'comfortable'] as const
export type Theme = (typeof THEMES)[number]
export type Density = (typeof DENSITIES)[number]

export const theme = signal<Theme>(read('logeye.theme', THEMES))
export const density = signal<Density>(read('logeye.density', DENSITIES))

/** Once, before the first page is drawn. */
export function applySettings(): void {
  effect(() => {
    const { dataset } = document.documentElement
    if (theme.value === 'system') delete dataset.theme
    else dataset.theme = theme.value
    dataset.density = density.value
    keep('logeye.theme', theme.value)
    keep('logeye.density', density.value)
  })
}

/** The first of the list, where none is kept. */
function read<Name extends string>(key: string, names: readonly [Name, ...Name[]]): Name {
  try {
    const kept = localStorage.getItem(key)
    return names.find((name) => name === kept) ?? names[0]
  } catch {
    return names[0]
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Without a place to keep it, it lasts as long as the page.
  }
}
