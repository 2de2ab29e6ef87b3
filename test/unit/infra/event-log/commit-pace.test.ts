import { expect, it } from 'vitest'
import { CommitPace } from '../../../../infra/event-log/commit-pace.ts'

const SMALL = 1000

it('commits small blocks in this thread while the disk is quick, large ones never', () => {
  const pace = new CommitPace()
  pace.committed(0, 1)
  expect(pace.mayCommitHere(SMALL, 2)).toBe(true)
  expect(pace.mayCommitHere(1 << 20, 2)).toBe(false)
})

it('leaves a slow disk to the other thread for twenty-five times as long as it took, and then tries again', () => {
  const pace = new CommitPace()
  pace.committed(0, 100)
  expect(pace.mayCommitHere(SMALL, 100 + 2499)).toBe(false)
  expect(pace.mayCommitHere(SMALL, 100 + 2500)).toBe(true)
})

it('leaves it for a quarter of a second at least', () => {
  const pace = new CommitPace()
  pace.committed(0, 5)
  expect(pace.mayCommitHere(SMALL, 254)).toBe(false)
  expect(pace.mayCommitHere(SMALL, 255)).toBe(true)
})
