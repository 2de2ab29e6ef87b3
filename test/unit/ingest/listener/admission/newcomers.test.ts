// Tokens that memory does not know: what is said to requests that cannot wait for the database.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Newcomers } from '../../../../../ingest/listener/admission/newcomers.ts'
import { Failure } from '../../../../../schemas/failures.ts'
import { makeManualClock } from '../../../../support/run/manual-clock.ts'

const AGAIN = 'listener.accounts_unavailable'
const FINAL = 'listener.token_invalid'

function start() {
  const clock = makeManualClock()
  const database = { asked: 0, isAway: false }
  const metastore = {
    accountByToken: () => undefined,
    refresh: async () => {
      database.asked += 1
      if (database.isAway) throw new Failure('database.unavailable')
    },
  }
  const newcomers = new Newcomers({ metastore, clock })
  const settle = async () => {
    clock.advance(50)
    for (let turns = 0; turns < 4; turns += 1) await turn()
  }
  return { clock, database, newcomers, settle }
}

describe('a request with an unknown token that cannot wait', () => {
  it('is to repeat until the database was asked, which is once for many', async () => {
    const { newcomers, settle, database } = start()
    expect(['a', 'b', 'a'].map((token) => newcomers.refuse(token))).toEqual([AGAIN, AGAIN, AGAIN])
    await settle()
    expect(database.asked).toBe(1)
    expect(['a', 'b', 'c'].map((token) => newcomers.refuse(token))).toEqual([FINAL, FINAL, AGAIN])
  })

  it('is not refused for good by a database that does not answer', async () => {
    const { newcomers, settle, database } = start()
    database.isAway = true
    expect(newcomers.refuse('a')).toBe(AGAIN)
    await settle()
    expect(newcomers.refuse('a')).toBe(AGAIN)
    database.isAway = false
    await settle()
    expect(newcomers.refuse('a')).toBe(FINAL)
  })

  it('is asked for anew after a minute', async () => {
    const { newcomers, settle, clock, database } = start()
    newcomers.refuse('a')
    await settle()
    clock.advance(60_000)
    expect(newcomers.refuse('a')).toBe(AGAIN)
    await settle()
    expect(database.asked).toBe(2)
  })

  it('is remembered for a bounded number of tokens', async () => {
    const { newcomers, settle } = start()
    newcomers.refuse('first')
    await settle()
    for (let n = 0; n < 1000; n += 1) newcomers.refuse(`${n}`)
    await settle()
    expect(newcomers.refuse('first')).toBe(AGAIN)
    expect(newcomers.refuse('999')).toBe(FINAL)
  })
})
