import { describe, expect, test } from 'vitest'
import { sayHelp } from '../../../../web/console/manage/parts/help-text.ts'

const NAMES = ['cron', 'archiveAccount']
const say = (description: string, look: Parameters<typeof sayHelp>[0]['look'] = 'line') =>
  sayHelp({ description, look, names: NAMES })

describe('help of a field', () => {
  test.each([
    ['whether its token is accepted; default true', 'Its token is accepted.'],
    ['false: the user cannot sign in; default true', 'Off: the user cannot sign in.'],
    [
      'true: told once while it fails; false: at each run that fails; default true',
      'On: told once while it fails; off: at each run that fails.',
    ],
  ])('of a box says no words of the command line: %s', (description, told) => {
    expect(say(description, 'flag')).toBe(told)
  })

  test('of a line says what stands where it is empty', () => {
    expect(say('folder of its logs; default Events')).toBe('Folder of its logs; empty: Events.')
    expect(say('default 22')).toBe('Empty: 22.')
  })

  test('names other fields by their labels', () => {
    expect(say('how long it is with -cron; default 60')).toBe(
      'How long it is with "Cron"; empty: 60.',
    )
    expect(say('prefix in the bucket of archiveAccount')).toBe(
      'Prefix in the bucket of "Archive account".',
    )
    expect(say('one that fileName has')).toBe('One that fileName has.')
  })

  test('of a list names no separator, which the field puts between its lines', () => {
    expect(
      say('its patterns, the first counts; @#@# between them; needed for a new one', 'entries'),
    ).toBe('Its patterns, the first counts; needed.')
    expect(say('rules, @#@# between them: hash, cut; empty for none', 'entries')).toBe(
      'Rules: hash, cut; empty for none.',
    )
  })

  test('is left out where it says nothing', () => {
    expect(say('free text')).toBe('')
  })
})
