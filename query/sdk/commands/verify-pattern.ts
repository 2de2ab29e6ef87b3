// verifyPattern: what patterns make of lines that the caller gives.
import { Failure } from '../../../schemas/failures.ts'
import { verifyPattern as published } from '../../../schemas/sdk/verify-pattern.ts'
import { serveCommand } from '../server/serve-command.ts'

export const verifyPattern = serveCommand(published, ({ pattern, files }, { clock, patterns }) => {
  const verified = patterns.verify(pattern, files, clock.nowMs())
  if (typeof verified === 'string')
    throw new Failure('sdk.argument', { argument: 'pattern', reason: verified })
  const { events, fitting, linesLeft } = verified
  return () => Promise.resolve({ events: events.length, fitting, linesLeft, results: events })
})
