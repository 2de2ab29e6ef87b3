// Text: UTF-8 without control characters, and not the begin of something that a program would run
// or show as another format.
import { type Inspector, refuseFile } from './inspector.ts'

const HEAD_CHARACTERS = 512
const CONTROLS = /(?![\t\n\f\r])\p{Cc}/u
/** Formats that are text, or begin as such. */
const FOREIGN =
  /^(?:%PDF-|%!PS|GIF8[79]a|\{\\rtf|#!|<\?|<!doctype|<!--|<(?:html|head|body|script|svg|iframe|style|meta|xml|math)\b|MThd|BM\w|MSCF|PK)/i

export function inspectText(): Inspector {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let head = ''
  const read = (chunk?: Uint8Array): void => {
    let text: string
    try {
      text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      throw refuseFile('it is not text in UTF-8')
    }
    if (CONTROLS.test(text)) throw refuseFile('it has control characters, which text has not')
    if (head.length < HEAD_CHARACTERS) head = (head + text).trimStart().slice(0, HEAD_CHARACTERS)
    if (FOREIGN.test(head)) throw refuseFile('it begins as another format')
  }
  return { add: read, end: () => read() }
}
