/** `text` without the characters at its end that are in `ends`. An expression such as `/x+$/` tries
 *  every run of x in the text, which takes the square of its length. */
export function trimEnd(text: string, ends: string): string {
  let end = text.length
  while (end > 0 && ends.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
