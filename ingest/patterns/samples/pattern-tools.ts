// Verifying and suggesting as the commands of the SDK ask for it.
import { BUILT_IN_TEMPLATES } from '../../../schemas/templates/built-in-templates.ts'
import { PatternFault } from '../language/pattern.ts'
import { suggestPattern } from './suggest-pattern.ts'
import { verifyPatterns } from './verify-patterns.ts'

export const PATTERN_TOOLS = {
  /** A text: what is wrong with a pattern, and where. */
  verify: (patterns: readonly string[], sample: string, nowMs: number) => {
    try {
      const { events, ...counts } = verifyPatterns(patterns, sample, nowMs)
      return { ...counts, events: [...events] }
    } catch (error) {
      if (error instanceof PatternFault) return error.message
      throw error
    }
  },
  suggest: (sample: string, nowMs: number, pause: () => Promise<void>) =>
    suggestPattern(sample, BUILT_IN_TEMPLATES, nowMs, pause),
}
