// Text in lines of a width: broken at spaces, and inside a word that is longer than a line.
import { splitLetters } from './fonts.ts'

export type Measure = (text: string) => number

/** At least one line. Words are measured one by one: `measure` may remember them. */
export function wrapText(text: string, width: number, measure: Measure): string[] {
  const lines: string[] = []
  const space = measure(' ')
  let line = ''
  let used = 0
  const add = (word: string, wordWidth: number): void => {
    if (line !== '' && used + space + wordWidth > width) {
      lines.push(line)
      line = ''
    }
    used = line === '' ? wordWidth : used + space + wordWidth
    line = line === '' ? word : `${line} ${word}`
  }
  for (const word of text.split(' ')) {
    const wordWidth = measure(word)
    if (wordWidth <= width) add(word, wordWidth)
    else for (const piece of breakWord(word, width, measure)) add(piece, measure(piece))
  }
  lines.push(line)
  return lines
}

/** A letter that is wider than a line stands alone. */
function breakWord(word: string, width: number, measure: Measure): string[] {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const letter of splitLetters(word)) {
    const letterWidth = measure(letter)
    if (piece !== '' && used + letterWidth > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += letter
    used += letterWidth
  }
  pieces.push(piece)
  return pieces
}
