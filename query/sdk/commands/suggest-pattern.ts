// suggestPattern: a pattern or a template for lines that the caller gives.
import { setImmediate } from 'node:timers/promises'
import { Failure } from '../../../schemas/failures.ts'
import { PATTERN_SEPARATOR } from '../../../schemas/sdk/sample.ts'
import { suggestPattern as published } from '../../../schemas/sdk/suggest-pattern.ts'
import { serveCommand } from '../server/serve-command.ts'

export const suggestPattern = serveCommand(
  published,
  async ({ files }, { clock, patterns: tools }) => {
    const suggestion = await tools.suggest(files, clock.nowMs(), () => setImmediate())
    if (suggestion === undefined)
      throw new Failure('sdk.argument', { argument: 'files', reason: 'there is no line in it' })
    const { patterns, template, events, fitting } = suggestion
    const pattern = patterns.join(PATTERN_SEPARATOR)
    return () => Promise.resolve({ pattern, template, events, fitting })
  },
)
