// Keys that are one file everywhere: also where capitals make no difference, and nowhere a way out
// of the folder.
const PART = /^[a-z0-9_-][a-z0-9._-]{0,199}$/
const MAX_KEY = 700

/** Throws RangeError. */
export function checkKey(key: string): void {
  if (key.length > MAX_KEY || !key.split('/').every((part) => PART.test(part)))
    throw new RangeError('the key of an object is not one')
}

/** Of a list: the begin of a key, or ''. Throws RangeError. */
export function checkPrefix(prefix: string): void {
  if (prefix !== '') checkKey(prefix.replace(/\/$/, ''))
}
