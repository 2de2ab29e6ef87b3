// Texts whose characters are bytes: what is read and printed as such a text keeps every byte of an
// event, invalid UTF-8 included. U+2028 and U+2029 stand for themselves, since the store's JSON
// writes them as escapes.

const SEPARATORS = /[\u2028\u2029]/g

export function toByteText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/\xe2\x80[\xa8\xa9]/g, (found) => (found.endsWith('\xa8') ? '\u2028' : '\u2029'))
}

export function fromByteText(text: string): Buffer {
  const bytes = text.replace(SEPARATORS, (found) =>
    found === '\u2028' ? '\xe2\x80\xa8' : '\xe2\x80\xa9',
  )
  return Buffer.from(bytes, 'latin1')
}
