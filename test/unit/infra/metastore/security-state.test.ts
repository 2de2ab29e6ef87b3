import { describe, expect, it } from 'vitest'
import { groupsOfUser } from '../../../../infra/metastore/rights/group-graph.ts'
import { expandOperations, GROUP_EVERYONE, OPERATIONS } from '../../../../schemas/users.ts'

const parents = (ofUser: [number, number[]][], ofGroup: [number, number[]][]) => ({
  ofUser: new Map(ofUser),
  ofGroup: new Map(ofGroup),
})

describe('groupsOfUser', () => {
  it('puts everybody into everyone and the groups that hold it', () => {
    expect(groupsOfUser(parents([], [[GROUP_EVERYONE.id, [50]]]), 1)).toEqual(
      new Set([GROUP_EVERYONE.id, 50]),
    )
  })

  it('follows groups in groups', () => {
    const found = groupsOfUser(
      parents(
        [[1, [10]]],
        [
          [10, [11]],
          [11, [12]],
        ],
      ),
      1,
    )
    expect(found).toEqual(new Set([GROUP_EVERYONE.id, 10, 11, 12]))
  })

  it('ends when groups hold each other in a circle', () => {
    const found = groupsOfUser(
      parents(
        [[1, [10]]],
        [
          [10, [11]],
          [11, [10]],
        ],
      ),
      1,
    )
    expect(found).toEqual(new Set([GROUP_EVERYONE.id, 10, 11]))
  })
})

describe('expandOperations', () => {
  it('allows with a parent all that lies below it and nothing beside it', () => {
    expect([...expandOperations(['data'])]).toEqual([
      ...[
        'data',
        'data.listeners',
        'data.accounts',

        'data.logs',
        'data.policies',
        'data.appTags',
        'data.tasks',
        'data.dashboards',
        'data.monitors',
      ],
    ])
    expect([...expandOperations(['search.cancelAll'])]).toEqual(['search.cancelAll'])
  })

  it('allows everything with * and nothing with an empty list', () => {
    expect([...expandOperations(['*'])]).toEqual([...OPERATIONS])
    expect([...expandOperations([])]).toEqual([])
  })
})
