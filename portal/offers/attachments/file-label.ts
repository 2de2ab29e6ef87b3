// The name of a file as a label: it is shown and handed to browsers, and never a path of ours.
import { trimEnd } from '../../../schemas/names/trim-end.ts'

const MAX_CHARACTERS = 150
/** Controls, invisible and direction-changing characters, lone surrogates, private ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu
/** What some systems take for more than a letter. */
const SPECIAL = /[<>:"|?*]/g

/** Undefined: nothing of it is a name. */
export function toLabel(given: string): string | undefined {
  const name = (given.normalize('NFC').split(/[/\\]/).at(-1) ?? '')
    .replaceAll(INVISIBLE, '')
    .replaceAll(SPECIAL, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const bare = trimEnd(name, '. ')
  if (bare === '') return undefined
  const characters = [...bare]
  if (characters.length <= MAX_CHARACTERS) return bare
  // The end says what it is.
  const end = /\.[a-z]{1,8}$/i.exec(bare)?.[0] ?? ''
  return (
    characters
      .slice(0, MAX_CHARACTERS - end.length)
      .join('')
      .trimEnd() + end
  )
}

/** RFC 6266: a name of ASCII for the oldest, and the whole one (RFC 8187). */
export function printDisposition(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/g, '_')
    .replaceAll(/["\\%;]/g, '_')
  const whole = encodeURIComponent(label).replaceAll(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
