// The fonts that go into a document: Inter, under the SIL Open Font License, whose text its package
// has. What they have no letter for is shown as a box.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export const BOX = '\u25a1'
const { resolve } = createRequire(import.meta.url)
const FILES = {
  regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
} as const
/** Controls, direction-changing and other unseen characters, lone surrogates, private ones. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu
/** More marks on one letter reach into other lines. */
const MARKS = /(\p{M}{2})\p{M}+/gu
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export type FontName = keyof typeof FILES

const loaded = new Map<FontName, Buffer>()

export function readFont(name: FontName): Buffer {
  const known = loaded.get(name) ?? readFileSync(FILES[name])
  loaded.set(name, known)
  return known
}

/** What a reader takes for one letter each. */
export function splitLetters(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

/** One line of what can be seen; `has` says what the font has a letter for. */
export function toPrintable(text: string, has: (codePoint: number) => boolean): string {
  const seen = text
    .normalize('NFC')
    .replaceAll(/[\s\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(MARKS, '$1')
    .trim()
  if (/^[\x20-\x7e]*$/.test(seen)) return seen
  return splitLetters(seen)
    .map((letter) => ([...letter].every((one) => has(one.codePointAt(0) ?? 0)) ? letter : BOX))
    .join('')
}
