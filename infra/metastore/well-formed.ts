/** A lone surrogate becomes U+FFFD, as in the bytes that every engine keeps: else a name would
 *  differ from its own row. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
