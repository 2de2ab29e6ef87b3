// What is done to the places of columns once a pattern fits: texts lose the spaces with which they
// are filled up, addresses are cut at their `?`.
import type { Program } from './program.ts'

const SPACE = 32
const QUESTION_MARK = 63

export class FinishedSpans {
  readonly #texts: readonly number[]
  readonly #urls: readonly number[]

  constructor({ instructions }: Program) {
    const columnsOfType = (type: 'text' | 'url') =>
      instructions.flatMap(({ element, column }) =>
        element?.kind === 'column' && element.type === type ? [column] : [],
      )
    this.#texts = columnsOfType('text')
    this.#urls = columnsOfType('url')
  }

  finish(bytes: Uint8Array, starts: Int32Array, ends: Int32Array): void {
    for (let i = 0; i < this.#texts.length; i++) trim(bytes, starts, ends, this.#texts[i] ?? 0)
    for (let i = 0; i < this.#urls.length; i++) cut(bytes, starts, ends, this.#urls[i] ?? 0)
  }
}

function trim(bytes: Uint8Array, starts: Int32Array, ends: Int32Array, column: number): void {
  let start = starts[column] ?? -1
  if (start < 0) return
  let end = ends[column] ?? 0
  while (start < end && bytes[start] === SPACE) start++
  while (end > start && bytes[end - 1] === SPACE) end--
  starts[column] = start
  ends[column] = end
}

/** The next column takes what follows the first `?`. */
function cut(bytes: Uint8Array, starts: Int32Array, ends: Int32Array, column: number): void {
  const start = starts[column] ?? -1
  if (start < 0) return
  const end = ends[column] ?? 0
  let at = start
  while (at < end && bytes[at] !== QUESTION_MARK) at++
  starts[column + 1] = at < end ? at + 1 : -1
  ends[column + 1] = end
  ends[column] = at
}
