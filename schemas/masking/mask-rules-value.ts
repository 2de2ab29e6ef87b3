// Rules of masking as an argument of commands.
import { z } from 'zod'
import { PATTERN_SEPARATOR } from '../sdk/sample.ts'
import { maskRuleValue } from './mask-rule.ts'

const MAX_RULES = 50
const MAX_CHARACTERS = 16_384

/** Rules with @#@# between them; '' is none. */
export const maskRulesValue = z
  .string()
  .max(MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
  .transform((text) => (text.trim() === '' ? [] : text.split(PATTERN_SEPARATOR)))
  .pipe(z.array(maskRuleValue).max(MAX_RULES, `must have at most ${MAX_RULES} rules`))
