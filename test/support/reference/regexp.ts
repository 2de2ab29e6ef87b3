// Regular expressions of the part that RE2 and JavaScript share; a dot is any character.
import { Refused } from './refusals.ts'

export function toRegExp(source: string, flags = ''): RegExp {
  const isCaseless = source.startsWith('(?i)')
  return new RegExp(isCaseless ? source.slice(4) : source, `su${isCaseless ? 'i' : ''}${flags}`)
}

/** Every match; `$1` is a group, an absent one is nothing. */
export function replaceAll(text: string, source: string, replacement: string): string {
  return text.replace(toRegExp(source, 'g'), (...found) => {
    const groups = found.slice(
      0,
      found.findIndex((value) => typeof value === 'number'),
    )
    return replacement.replace(/\$(\d)/g, (_, digit) => String(groups[Number(digit)] ?? ''))
  })
}

/** Of the expressions that a query may hold: no look-around, no back reference. */
export function checkRegExp(source: string): void {
  if (/\(\?<?[=!]|\\[1-9]/.test(source)) throw new Refused(`not supported: ${source}`)
  try {
    toRegExp(source)
  } catch (error) {
    throw new Refused(String(error))
  }
}
