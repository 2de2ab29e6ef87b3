// The name of a source, a device or what a CloudEvent says, as it is stored (decision 3.1).

const MAX_CHARACTERS = 255

/** Trimmed and cut, no character in two. */
export function cutSource(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= MAX_CHARACTERS) return trimmed
  return [...trimmed].slice(0, MAX_CHARACTERS).join('').trim()
}
