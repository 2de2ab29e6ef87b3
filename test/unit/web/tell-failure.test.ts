import { describe, expect, it } from 'vitest'
import { asSentence, tellFailure } from '../../../web/shared/tell-failure.ts'
import { TEXTS } from '../../../web/shared/texts.ts'

describe('words of a failure', () => {
  it('begin and end as a sentence', () => {
    expect(asSentence('the store cannot be reached now')).toBe('The store cannot be reached now.')
    expect(asSentence('There is no log "access"')).toBe('There is no log "access".')
  })

  it('keep names, and the end that they have', () => {
    expect(asSentence('storageDays is too large.')).toBe('storageDays is too large.')
    expect(asSentence('Events->Shop is held')).toBe('Events->Shop is held.')
    expect(asSentence('Is it there?')).toBe('Is it there?')
    expect(asSentence('')).toBe('')
  })

  it('say why something could not be read', () => {
    const message = 'the store cannot be reached now.'
    expect(tellFailure({ status: 500, message })).toBe(
      'This could not be read: the store cannot be reached now.',
    )
    expect(tellFailure({ status: 403, message })).toBe(TEXTS.failure.noRight)
    expect(tellFailure({ status: 0, message: '' })).toBe(TEXTS.failure.unreachable)
  })
})
