import { describe, expect, it } from 'vitest'
import {
  describeEnding,
  EarlyFailures,
  type Ending,
} from '../../../../infra/supervisor/early-failures.ts'

function makeEnding(some: Partial<Ending> = {}): Ending {
  return { status: 1, signal: null, failing: undefined, hasRun: false, ...some }
}
const says = (reason: string, isPassing = false) => makeEnding({ failing: { reason, isPassing } })
const addAll = (...endings: Ending[]) => {
  const failures = new EarlyFailures()
  return endings.map((it) => failures.add(it))
}

describe('failures before a process was ready', () => {
  it('give up at the third of one kind, whatever numbers stand in it', () => {
    const [a, b, c] = [says('port 1 at 0x1f'), says('port 22 at 0xa7'), says('port 3 at 0x0')]
    expect(addAll(a, b, c)).toEqual([false, false, true])
  })

  it('begin anew with another kind', () => {
    expect(addAll(says('a'), says('a'), says('b'), says('a'), says('a'))).not.toContain(true)
  })

  it('do not count while it waits, nor what somebody outside has killed after it ran', () => {
    const waiting = says('the broker is away', true)
    expect(addAll(waiting, waiting, waiting, waiting)).not.toContain(true)
    const killed = makeEnding({ status: null, signal: 'SIGKILL', hasRun: true })
    expect(addAll(killed, killed, killed, killed)).not.toContain(true)
    const early = { ...killed, hasRun: false }
    expect(addAll(early, early, early)).toEqual([false, false, true])
  })

  it('do not count once it was ready', () => {
    const failures = new EarlyFailures()
    failures.add(says('a'))
    failures.add(says('a'))
    failures.ready()
    expect([says('a'), says('a'), says('a')].map((it) => failures.add(it))).not.toContain(true)
  })

  it.each([
    [says('no table'), 'no table'],
    [makeEnding({ status: null, signal: 'SIGSEGV' }), 'it crashed (SIGSEGV)'],
    [makeEnding({ status: null, signal: 'SIGKILL' }), 'too little memory'],
    [makeEnding({ status: null }), 'it could not be started'],
    [makeEnding({ status: 9 }), 'it ended with status 9'],
  ])('are told in one line (%#)', (ending, expected) => {
    expect(describeEnding('work', ending)).toContain(expected)
    expect(describeEnding('work', ending)).toContain('the process work failed 3 times')
  })
})
