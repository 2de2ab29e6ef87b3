// Case files of test/cases: `# name`, input lines, `==> ` and the result lines, an empty line
// between cases. Lines at the top that no input follows are remarks.
import { readFileSync } from 'node:fs'

export type Case = { readonly name: string; readonly input: string; readonly result: string }

export function readCases(file: string): Case[] {
  const text = readFileSync(new URL(`../../cases/${file}`, import.meta.url), 'utf8')
  const cases: Case[] = []
  for (const block of text.split(/\n\n+(?=# )/)) {
    const match = /^# (.+)\n((?:(?!# |==>).*\n)+)==> ?([\s\S]*)$/m.exec(block)
    if (match === null) continue
    const [, name = '', input = '', result = ''] = match
    cases.push({ name, input: input.replace(/\n$/, ''), result: result.trimEnd() })
  }
  return cases
}
