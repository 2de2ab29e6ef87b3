// Paths whose file name is a pattern: `app.log{string}`, `app-{date,dd-MM-yyyy}.log`.
import { PatternFault } from '../language/pattern.ts'
import { compilePattern } from './compile-pattern.ts'
import { PatternMatcher } from './pattern-matcher.ts'

export type FileNamePattern = {
  /** With its last `/`; '' for none. */
  readonly folder: string
  /** `name`: of a file in that folder. */
  fits(name: string): boolean
}

const BRACE = /(?<!\{)\{(?!\{)/

/** Throws PatternFault. */
export function compileFileNamePattern(path: string): FileNamePattern {
  const brace = path.search(BRACE)
  const end = path.lastIndexOf('/', brace < 0 ? path.length : brace) + 1
  const name = path.slice(end)
  // A date may hold slashes, and a name of a file none.
  if (name.includes('/'))
    throw new PatternFault(
      end,
      'only the name of the file may be a pattern; write folders as they are',
    )
  if (name === '')
    throw new PatternFault(end, 'the path ends with a folder; write the name of a file')
  const folder = unescapeBraces(path.slice(0, end))
  if (brace < 0) {
    const literal = unescapeBraces(name)
    return { folder, fits: (given) => given === literal }
  }
  const matcher = new PatternMatcher(compilePattern(name))
  return {
    folder,
    fits: (given) => {
      const bytes = Buffer.from(given)
      return !given.includes('/') && matcher.match(bytes, 0, bytes.length)
    },
  }
}

function unescapeBraces(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}')
}
