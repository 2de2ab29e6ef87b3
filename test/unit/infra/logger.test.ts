import { expect, it } from 'vitest'
import { describeError } from '../../../infra/logger.ts'

it('tells where a bug is, and nothing of its message', () => {
  const told = describeError(new TypeError('first\nsecret one\n    at the secret two'))
  expect(told.bug).toBe('TypeError')
  expect(told.stack).toContain('logger.test.ts')
  expect(JSON.stringify(told)).not.toMatch(/first|secret/)
})
