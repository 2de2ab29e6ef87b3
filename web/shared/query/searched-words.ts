// The plain words and phrases of a query, to be marked in what it has found. Not how the server
// searches: a help for the eye. Pure.
import { splitFilter, splitQuery } from './split-query.ts'

const PART = /"((?:[^"\\]|\\.)*)"|[^\s()]+/g
const KEYWORDS = /^(?:and|or|in|\*)$/i
const OPERATOR = /^(?:!?=|[<>]=?|contains|matches|starts|ends|with|between|within|exists|not)$/i
const MOST = 12

export function searchedWords(query: string): readonly string[] {
  const { tests } = splitFilter(splitQuery(query).filter)
  const parts = [...tests.matchAll(PART)].map(([whole, quoted]) => ({ whole, quoted }))
  const words: string[] = []
  parts.forEach(({ whole, quoted }, at) => {
    const before = parts[at - 1]?.whole ?? ''
    const after = parts[at + 1]?.whole ?? ''
    if (OPERATOR.test(whole) || KEYWORDS.test(whole)) return
    if (OPERATOR.test(after) && !/^not$/i.test(after)) return
    if (OPERATOR.test(before) && !/^(?:=|contains|with)$/i.test(before)) return
    const word = (quoted ?? whole).replace(/\\(.)/g, '$1')
    if (quoted === undefined && /[*?=<>]/.test(word)) words.push(...word.split(/[*?=<>]+/))
    else words.push(word)
  })
  return [...new Set(words.filter((word) => word.length > 1))].slice(0, MOST)
}

export type Piece = { readonly text: string; readonly isMarked: boolean }

/** The text in pieces, of which those are marked that are one of the words. */
export function markWords(text: string, words: readonly string[]): readonly Piece[] {
  if (words.length === 0 || text === '') return [{ text, isMarked: false }]
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const pieces = text.split(new RegExp(`(${escaped.join('|')})`, 'iu'))
  return pieces
    .map((piece, at) => ({ text: piece, isMarked: at % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
