// A value inside JSON text that was kept below the parsing level: wanted only when a message, time
// or split key lies there.

/** Text of the string, number (as written) or bool at `path`; null when there is none. */
export function textInBlob(blob: string, path: readonly string[]): string | null {
  const value = findIn(parse(blob), path, 0)
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function parse(blob: string): unknown {
  try {
    return JSON.parse(blob)
  } catch {
    return undefined
  }
}

/** A key that itself holds dots goes before nested ones (decision 3.3). */
function findIn(value: unknown, path: readonly string[], from: number): unknown {
  if (from === path.length) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = new Map<string, unknown>(Object.entries(value))
  for (let to = path.length; to > from; to--) {
    const found = findIn(entries.get(path.slice(from, to).join('.')), path, to)
    if (found !== undefined) return found
  }
  return undefined
}
