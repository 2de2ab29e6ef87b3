// How the arguments of app tags are written.
import { z } from 'zod'
import { listValue, pathValue, textValue } from './values.ts'

const MAX_MEMBERS = 1000
const MAX_PARAMETERS = 100
/** `__proto__` would be no name of its own in an object. */
const PARAMETER_NAME = /^(?!__proto__$)[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u

/** Paths from the root, without repeats. */
export const pathListValue = listValue.transform((texts, context): string[][] => {
  const paths = new Map<string, string[]>()
  for (const text of texts) {
    const path = pathValue.safeParse(text)
    const reason = path.success
      ? path.data.length === 0 && 'the root is no member; use the source query *'
      : path.error.issues[0]?.message
    if (path.success && !reason) paths.set(path.data.join('->'), path.data)
    else context.addIssue({ code: 'custom', message: reason || 'is not accepted' })
  }
  if (paths.size > MAX_MEMBERS)
    context.addIssue({ code: 'custom', message: `must be at most ${MAX_MEMBERS}` })
  return [...paths.values()]
})

/** `a=1,b=2`; or a JSON object of texts, for values that hold a comma; '' for none. */
export const parametersValue = textValue.transform((text, context): Record<string, string> => {
  const pairs = text.trimStart().startsWith('{') ? readObject(text) : readPairs(text)
  const bad = pairs?.find(([name]) => !PARAMETER_NAME.test(name))
  const isTwice = new Set(pairs?.map(([name]) => name)).size !== pairs?.length
  if (pairs !== undefined && bad === undefined && !isTwice && pairs.length <= MAX_PARAMETERS)
    return Object.fromEntries(pairs)
  context.addIssue({
    code: 'custom',
    message: `must be at most ${MAX_PARAMETERS} different name=value pairs, with names of letters, digits, _ . and -`,
  })
  return z.NEVER
})

function readPairs(text: string): [string, string][] | undefined {
  const pairs: [string, string][] = []
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const at = part.indexOf('=')
    if (at < 0) return undefined
    pairs.push([part.slice(0, at).trim(), part.slice(at + 1).trim()])
  }
  return pairs
}

function readObject(text: string): [string, string][] | undefined {
  try {
    const parsed = z.record(z.string(), z.string()).safeParse(JSON.parse(text))
    return parsed.success ? Object.entries(parsed.data) : undefined
  } catch {
    return undefined
  }
}
