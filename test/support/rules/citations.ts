// Where comments and pages point to: rules (docs/specification), decision pages, headings of the
// manual of the language, pages by path. The test feeds it the real tree and planted mistakes.

export type TextFile = { readonly path: string; readonly text: string }

const NUMBER = String.raw`\d+(?:\.\d+)?`
const RULES = new RegExp(
  String.raw`\bdecisions? (${NUMBER}(?:(?:, |,| and |[-–])${NUMBER})*)`,
  'gi',
)
const HEADINGS = /\bsearch-language(?:\.md)?(#[\w-]+(?:(?:,| to| and) #[\w-]+)*)/g
const PAGES = /\bdocs\/(decisions\/\d{4}|[\w/.-]+\.md)\b/g

/** Documents that lie outside of the repository: whoever reads it cannot follow them. */
const OUTSIDE = [
  /\b(?:design|style|product-facts|law|issues?)(?: (?:section|part|row))? #?\d[\d.]*/gi,
  /\b(?:search-)?language (?:section )?\d[\d.]*/gi,
  /\bspecification: [A-Z]\w*/g,
  // A number alone, which says of no document which one it is of.
  /(?<=[a-z] )\([1-9]\.\d{1,2}(?:[-–][1-9]\.\d{1,2})?\)/g,
  /\b(?:store|exactly-once)-study\b/g,
]

/** Joins a comment that goes on in the next line, so that a citation is read whole. */
const LINE_BREAK = /[ \t]*\n[ \t]*(?:\/\/|\*(?!\/)|#)?[ \t]*/g

export type Places = {
  /** Numbers of rules and of decision pages, such as `3.7`, `3` and `0021`. */
  readonly numbers: ReadonlySet<string>
  /** Headings of docs/reference/search-language.md, such as `#order-by`. */
  readonly headings: ReadonlySet<string>
  /** Paths of the pages below docs/. */
  readonly pages: ReadonlySet<string>
}

/** What can be cited, read from the pages themselves. */
export function readPlaces(files: readonly TextFile[]): Places {
  const pages = files.filter(({ path }) => path.startsWith('docs/'))
  const numbers = new Set<string>()
  for (const { path, text } of pages) {
    const name = path.split('/').pop() ?? ''
    const number = /^(\d+)-/.exec(name)?.[1]
    if (number === undefined) continue
    numbers.add(number)
    if (path.startsWith('docs/specification/'))
      for (const [, rule] of text.matchAll(/^## (\d+\.\d+) /gm)) numbers.add(rule ?? '')
  }
  const manual = pages.find(({ path }) => path === 'docs/reference/search-language.md')
  const headings = [...(manual?.text ?? '').matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) =>
      `#${title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-')}`,
  )
  return { numbers, headings: new Set(headings), pages: new Set(pages.map(({ path }) => path)) }
}

export function countCitations(files: readonly TextFile[]): number {
  return files.reduce((sum, file) => sum + citationsOf(file).length, 0)
}

/** One line for each citation that leads nowhere. */
export function findBrokenCitations(files: readonly TextFile[], places: Places): string[] {
  return files.flatMap((file) => {
    const broken = citationsOf(file).filter(({ target }) => !leadsSomewhere(target, places))
    const outside = OUTSIDE.flatMap((pattern) => [...joinLines(file.text).matchAll(pattern)])
    return [
      ...broken.map(({ text, target }) => `${file.path} cites ${text}: there is no ${target}`),
      ...outside.map(([text]) => `${file.path} cites ${text}: it is not in the repository`),
    ]
  })
}

type Citation = { readonly text: string; readonly target: string }

function citationsOf(file: TextFile): Citation[] {
  const text = joinLines(file.text)
  const found = (pattern: RegExp, part: RegExp) =>
    [...text.matchAll(pattern)].flatMap(([whole, list = '']) =>
      [...list.matchAll(part)].map(([target]) => ({ text: whole, target })),
    )
  return [
    ...found(RULES, new RegExp(NUMBER, 'g')),
    ...found(HEADINGS, /#[\w-]+/g),
    ...found(PAGES, /.+/g).map((it) => ({ ...it, target: `docs/${it.target}` })),
  ]
}

function leadsSomewhere(target: string, { numbers, headings, pages }: Places): boolean {
  if (target.startsWith('#')) return headings.has(target)
  if (target.startsWith('docs/'))
    return pages.has(target) || [...pages].some((page) => page.startsWith(`${target}-`))
  return numbers.has(target)
}

function joinLines(text: string): string {
  return text.replaceAll(LINE_BREAK, ' ')
}
