// Sample lines and patterns as arguments of commands.
import { z } from 'zod'

/** The client reads no more of a file. */
export const MAX_SAMPLE_BYTES = 256 * 1024
export const PATTERN_SEPARATOR = '@#@#'
const MAX_PATTERN_CHARACTERS = 65_536
/** Of a template that somebody makes. */
export const MAX_PATTERNS = 20

/** The lines themselves, or in the client the name of their file. */
export const sampleValue = z
  .string()
  .min(1, 'must name a file with lines, or - for standard input')
  .max(MAX_SAMPLE_BYTES, `must have at most ${MAX_SAMPLE_BYTES / 1024} KiB`)

/** One pattern, or several with @#@# between them. */
export const patternsValue = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_PATTERN_CHARACTERS, `must have at most ${MAX_PATTERN_CHARACTERS} characters`)
  .transform((text) => text.split(PATTERN_SEPARATOR))
  .refine(
    (patterns) => patterns.length <= MAX_PATTERNS,
    `must have at most ${MAX_PATTERNS} patterns`,
  )

/** As above; '' is none. */
export const patternListValue = z
  .string()
  .max(MAX_PATTERN_CHARACTERS, `must have at most ${MAX_PATTERN_CHARACTERS} characters`)
  .transform((text) => (text === '' ? [] : text.split(PATTERN_SEPARATOR)))
