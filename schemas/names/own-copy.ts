/** The text in memory of its own: what is cut out of a longer one keeps that alive. No lone
 *  surrogates. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
