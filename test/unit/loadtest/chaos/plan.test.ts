import { describe, expect, it } from 'vitest'
import { type Choice, makePlan, printOfPlan } from '../../../../loadtest/chaos/campaign/plan.ts'

const CHOICES: readonly Choice[] = [
  { name: 'kill', weight: 3, endsCounts: true, canBeLong: false },
  { name: 'stand', weight: 2, endsCounts: false, canBeLong: true },
  { name: 'cut', weight: 1, endsCounts: false, canBeLong: false },
]
const OPTIONS = { seed: 7, faults: 300, long: 10, roundLength: 20 }

describe('the plan of a campaign', () => {
  it('is the same for the same seed and another for another', () => {
    const print = printOfPlan(makePlan(CHOICES, OPTIONS))
    expect(printOfPlan(makePlan(CHOICES, OPTIONS))).toBe(print)
    expect(printOfPlan(makePlan(CHOICES, { ...OPTIONS, seed: 8 }))).not.toBe(print)
  })

  it('has as many faults as were asked for, in rounds, and each kind about as often as it weighs', () => {
    const rounds = makePlan(CHOICES, { ...OPTIONS, faults: 305 })
    expect(rounds.map((round) => round.strikes.length)).toEqual([...Array(15).fill(20), 5])
    const names = rounds.filter((it) => !it.isCounted).flatMap((it) => it.strikes)
    const kills = names.filter((it) => it.fault === 'kill').length / names.length
    expect(kills).toBeGreaterThan(0.4)
    expect(kills).toBeLessThan(0.6)
  })

  it('has every kind once before any comes again', () => {
    const weights = [1, 50, 1, 1, 1, 1]
    const choices = weights.map((weight, at) => ({
      ...{ name: `fault ${at}`, weight, endsCounts: true, canBeLong: false },
    }))
    const strikes = makePlan(choices, OPTIONS).flatMap((round) => round.strikes)
    expect(new Set(strikes.slice(0, 6).map((it) => it.fault)).size).toBe(6)
  })

  it('lets every process live in every third round', () => {
    const rounds = makePlan(CHOICES, OPTIONS)
    expect(rounds.map((round) => round.isCounted).slice(0, 6)).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ])
    const counted = rounds.filter((it) => it.isCounted).flatMap((it) => it.strikes)
    expect(counted.length).toBeGreaterThan(50)
    expect(counted.map((it) => it.fault)).not.toContain('kill')
  })

  it('makes as many long ones as were asked for, of faults that can be long, and all others shorter than 3 s', () => {
    const strikes = makePlan(CHOICES, OPTIONS).flatMap((round) => round.strikes)
    const long = strikes.filter((it) => it.durationMs >= 3000)
    expect(long.map((it) => [it.fault, it.durationMs])).toEqual(Array(10).fill(['stand', 60_000]))
  })

  it('has a fault that lets the processes live also where there is no other', () => {
    const kills = CHOICES.slice(0, 1)
    const rounds = makePlan(kills, { ...OPTIONS, long: 3 })
    expect(rounds.every((it) => !it.isCounted)).toBe(true)
    expect(rounds.flatMap((it) => it.strikes)).toHaveLength(300)
  })
})
