// Each command says which ways of events it changes. The type asks for it, too: this test is the
// second guard.
import { describe, expect, it } from 'vitest'
import { EVENT_PATHS, type Sees } from '../../../../schemas/rights/sees.ts'
import { SDK_COMMANDS } from '../../../../schemas/sdk/commands.ts'

/** What is wrong with the declaration of a command. */
function findFaults(commands: Readonly<Record<string, { readonly sees?: Sees }>>): string[] {
  return Object.entries(commands).flatMap(([name, { sees }]) => {
    if (sees === undefined) return [`${name} says nothing of events`]
    if (sees.kind === 'paths' && sees.paths.length === 0) return [`${name} names no way`]
    const isReason = sees.kind !== 'nothing' || sees.because.split(' ').length >= 4
    return isReason ? [] : [`${name} gives no reason`]
  })
}

describe('the declarations of commands', () => {
  it('are whole', () => {
    expect(findFaults(SDK_COMMANDS)).toEqual([])
  })

  it('are missed where there is none, or no reason', () => {
    const planted = {
      ...SDK_COMMANDS,
      sendAway: {},
      giveAway: { sees: { kind: 'nothing', because: 'fine' } },
    } as const
    expect(findFaults(planted)).toEqual([
      'sendAway says nothing of events',
      'giveAway gives no reason',
    ])
  })

  it('name each way at least once', () => {
    const named = Object.values(SDK_COMMANDS).flatMap(({ sees }) =>
      sees.kind === 'paths' ? sees.paths : [],
    )
    expect(EVENT_PATHS.filter((path) => !named.includes(path))).toEqual([])
  })
})
