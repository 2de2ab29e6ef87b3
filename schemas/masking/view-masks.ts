// What a policy hides from those who have it (docs/decisions/0089): names of columns, detectors and
// patterns, as in rules of masking but without what stands in their place.
import { z } from 'zod'
import { PATTERN_SEPARATOR } from '../sdk/sample.ts'
import { type MaskTarget, parseMaskRule, printMaskRule } from './mask-rule.ts'

/** What is shown of a hidden value. */
export const HIDDEN = '***'

const MAX_MASKS = 50
const MAX_CHARACTERS = 16_384
/** Every event has them, and searches need them. */
const NOT_HIDDEN = ['timestamp', 'date', 'log', 'folder', 'apptags', 'apptag', 'app', 'size', 'raw']
const VERB = 'cut'

/** Targets with @#@# between them, in their printed form; '' is none. */
export const viewMasksValue = z
  .string()
  .max(MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
  .transform((text) => (text.trim() === '' ? [] : text.split(PATTERN_SEPARATOR)))
  .pipe(
    z
      .array(
        z.string().transform((text, context): string => {
          const target = parseViewMask(text)
          if (typeof target !== 'string') return printViewMask(target)
          context.addIssue({ code: 'custom', message: target })
          return z.NEVER
        }),
      )
      .max(MAX_MASKS, `must have at most ${MAX_MASKS} parts`),
  )

/** A text: what is wrong with it. */
export function parseViewMask(text: string): MaskTarget | string {
  const rule = parseMaskRule(`${VERB} ${text.trim()}`)
  if (typeof rule === 'string') return rule
  const { target } = rule
  const isNeeded = target.kind === 'column' && NOT_HIDDEN.includes(target.path)
  return isNeeded ? `the column ${target.path} cannot be hidden` : target
}

export function printViewMask(target: MaskTarget): string {
  return printMaskRule({ action: { kind: VERB }, target }).slice(VERB.length + 1)
}

/** Of texts that were checked when they were kept. One that this program cannot read would show
 *  what it hides, so it is an error. */
export function readViewMasks(texts: readonly string[]): MaskTarget[] {
  return texts.map((text) => {
    const target = parseViewMask(text)
    if (typeof target === 'string') throw new TypeError('a policy hides what is not known here')
    return target
  })
}
