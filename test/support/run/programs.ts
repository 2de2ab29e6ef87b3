// Programs beside Node that read what the product prints, as another pair of eyes.
import { type Missing, missing } from './missing.ts'
import { spawnSync } from './run-sync.ts'

const answers = (program: string, word: string) => () =>
  spawnSync(program, [word]).error === undefined

/** pdftotext, pdfinfo and pdffonts. */
export const popplerMissing = (): Missing =>
  missing(answers('pdftotext', '-v'), 'poppler (the package poppler-utils)')

export const xmllintMissing = (): Missing =>
  missing(answers('xmllint', '--version'), 'xmllint (the package libxml2-utils)')
