// Names of series in an expression of Prometheus: every word that is no function, keyword, label or
// text.

const KEYWORDS = new Set(
  'and or unless on ignoring group_left group_right by without offset bool atan2 inf nan start end'.split(
    ' ',
  ),
)

export function seriesNamesOf(expression: string): string[] {
  const bare = expression
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, ' ')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replace(/\$\w+/g, ' ')
  const words = [...bare.matchAll(/(?<![\w:.])[A-Za-z_:][\w:]*(?!\s*\()(?![\w:])/g)].map(
    ([it]) => it,
  )
  return words.filter((word) => !KEYWORDS.has(word.toLowerCase()))
}
