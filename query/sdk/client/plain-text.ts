// What a terminal shows as it is: control characters could move its cursor or name its window.

const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu

/** Control characters but tab and line feed as `\u001b`. */
export function plainText(text: string): string {
  return text.replaceAll(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
