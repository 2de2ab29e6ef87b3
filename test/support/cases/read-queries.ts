// Lists of queries in test/cases: one a line, `\\n` for a line end, `#` before remarks.
import { readFileSync } from 'node:fs'

export function readQueries(file: string): string[] {
  const text = readFileSync(new URL(`../../cases/${file}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.replaceAll('\\n', '\n'))
}
