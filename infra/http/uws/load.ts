// The native module, loaded once and only where somebody asks: it has no binary for every Node and
// platform.
import './header-limit.ts'

export type Uws = typeof import('uWebSockets.js')

type Loaded = Partial<Uws> & { readonly default?: Partial<Uws> }

let loading: Promise<Uws | undefined> | undefined

/** undefined: there is no binary that this Node can load. */
export function loadUws(): Promise<Uws | undefined> {
  loading ??= load()
  return loading
}

async function load(): Promise<Uws | undefined> {
  try {
    const loaded: Loaded = await import('uWebSockets.js')
    // A package in the form of CommonJS, as its authors publish it, has all under `default`.
    const uWS = loaded.App === undefined ? loaded.default : loaded
    return uWS?.App === undefined ? undefined : (uWS as Uws)
  } catch {
    return undefined
  }
}
