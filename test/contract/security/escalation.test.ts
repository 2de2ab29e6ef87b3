// Whoever changes rights gives and takes only what he holds (docs/decisions/0044): a security
// officer without all rights, and the administrator of a group, try each way to more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>

type Given = Record<string, string>

const as = (name: string) =>
  makeConfigurationClient(app.call, { name, password: `password of ${name}` })
const admin = () => makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
const exceeded = {
  success: false,
  httpStatusCode: 403,
  errorMessage: expect.stringMatching(/lacks/),
}
const missing = { success: false, httpStatusCode: 403, errorMessage: 'this user may not do that' }
const done = { success: true }

beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  for (const name of ['officer', 'leader', 'ann', 'miner', 'clerk', 'chief'])
    await db.addUser(name, `password of ${name}`)
  await db.metastore.addLogs([
    makeNewLog({ folder: ['Open'], name: 'front' }),
    makeNewLog({ folder: ['Vault'], name: 'gold' }),
    makeNewLog({ folder: ['Desk'], name: 'notes' }),
  ])
  const setUp: [string, Given][] = [
    ['securityGroups', { groupName: 'chiefs', policy: 'administrators', members: 'chief' }],
    ['securityPolicies', { policyName: 'officer', operations: 'system.security,search' }],
    ['securityPolicies', { policyName: 'keeper', operations: 'data' }],
    ['securityGroups', { groupName: 'officers', policy: 'officer', members: 'officer' }],
    ['securityGroups', { groupName: 'keepers', policy: 'keeper' }],
    ['securityGroups', { groupName: 'miners', members: 'miner' }],
    ['securityGroups', { groupName: 'team', administrators: 'leader', members: 'leader' }],
  ]
  for (const [command, given] of setUp)
    expect(await admin().do(command, { action: 'add', ...given })).toMatchObject(done)
  await admin().do('setPermissions', { path: 'Vault', type: 'folder', viewGroups: 'miners' })
  await admin().do('setPermissions', { path: 'Desk', type: 'folder', editGroups: 'miners' })
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
})

/** Everything of the rights that the database holds. */
async function rightsKept() {
  const { read } = db.database
  return [
    await read.selectFrom('users').selectAll().orderBy('id').execute(),
    await read.selectFrom('user_groups').selectAll().orderBy('id').execute(),
    await read
      .selectFrom('group_members')
      .selectAll()
      .orderBy('group_id')
      .orderBy('member_kind')
      .orderBy('member_id')
      .execute(),
    await read.selectFrom('policies').selectAll().orderBy('id').execute(),
    await read.selectFrom('node_permissions').selectAll().orderBy('node_id').execute(),
    await read.selectFrom('node_editors').selectAll().orderBy('node_id').execute(),
  ]
}

const edit = { action: 'edit' }
const TRIES: readonly [string, string, Given][] = [
  [
    'makes himself administrator by policy',
    'securityUsers',
    { ...edit, userName: 'officer', policy: 'administrators' },
  ],
  [
    'by group',
    'securityUsers',
    { ...edit, userName: 'officer', groups: 'officers,administrators' },
  ],
  [
    'makes a new user administrator',
    'securityUsers',
    { action: 'add', userName: 'new', userPassword: 'long password', policy: 'administrators' },
  ],
  [
    'enters the administrators',
    'securityGroups',
    { ...edit, groupName: 'administrators', addMembers: 'officer' },
  ],
  [
    'makes a group one of theirs',
    'securityGroups',
    { ...edit, groupName: 'administrators', addMembers: 'group:team' },
  ],
  [
    'makes an empty group with it',
    'securityGroups',
    { action: 'add', groupName: 'x', policy: 'administrators' },
  ],
  [
    'makes an empty group with a policy that he lacks',
    'securityGroups',
    { action: 'add', groupName: 'x', policy: 'keeper' },
  ],
  [
    'puts a group among such parents',
    'securityGroups',
    { action: 'add', groupName: 'x', parents: 'keepers' },
  ],
  [
    'takes its own policy from his group',
    'securityGroups',
    { ...edit, groupName: 'officers', policy: '', parents: 'keepers' },
  ],
  [
    'widens his policy',
    'securityPolicies',
    { ...edit, policyName: 'officer', operations: 'system,search' },
  ],
  [
    'makes a wide policy',
    'securityPolicies',
    { action: 'add', policyName: 'x', operations: 'data.logs' },
  ],
  [
    'narrows the policy of others',
    'securityPolicies',
    { ...edit, policyName: 'keeper', operations: '' },
  ],
  [
    'sets the password of an administrator',
    'securityUsers',
    { ...edit, userName: 'admin', userPassword: 'long password' },
  ],
  ['disables an administrator', 'securityUsers', { ...edit, userName: 'admin', enabled: 'false' }],
  [
    'sets the password of who sees more',
    'securityUsers',
    { ...edit, userName: 'miner', userPassword: 'long password' },
  ],
  ['removes who sees more', 'securityUsers', { action: 'remove', userName: 'miner' }],
  [
    'enters a group that sees more',
    'securityGroups',
    { ...edit, groupName: 'miners', addMembers: 'officer' },
  ],
  ['takes others out of it', 'securityGroups', { ...edit, groupName: 'miners', members: '' }],
  ['removes it', 'securityGroups', { action: 'remove', groupName: 'miners' }],
  [
    'edits where he may not',
    'setPermissions',
    { path: 'Desk', type: 'folder', editUsers: 'officer' },
  ],
  [
    'takes the list there away',
    'setPermissions',
    { path: 'Desk', type: 'folder', inherit: 'edit' },
  ],
]

describe('a security officer without all rights', () => {
  it.each(TRIES)('is refused and changes nothing: %s', async (_, command, given) => {
    const before = await rightsKept()
    expect(await as('officer').do(command, given)).toMatchObject(exceeded)
    expect(await rightsKept()).toEqual(before)
  })

  it('does not find what he may not view, and no answer tells that it is there', async () => {
    const before = await rightsKept()
    const ask = async (levels: string, type: string) => {
      const given = { path: levels, type, viewUsers: 'officer' }
      const { httpStatusCode, errorMessage } = await as('officer').do('setPermissions', given)
      return [httpStatusCode, errorMessage?.replaceAll(/Vault|Fault/g, '?')]
    }
    for (const [path, type] of [
      ['?', 'folder'],
      ['?->gold', 'log'],
    ] as const)
      expect(await ask(path.replace('?', 'Vault'), type)).toEqual(
        await ask(path.replace('?', 'Fault'), type),
      )
    expect(await rightsKept()).toEqual(before)
  })

  it('cannot turn security off, with the operation of settings neither', async () => {
    const wide = { policyName: 'officer', operations: 'system,search' }
    await admin().do('securityPolicies', { ...edit, ...wide })
    const tries: Given[] = [{ security: 'false' }, { set: 'system.security=false' }]
    for (const given of tries)
      expect(await as('officer').do('settings', given)).toMatchObject(exceeded)
    expect(await as('officer').do('settings', { set: 'system.timeZone=UTC' })).toMatchObject(done)
    expect(db.metastore.isSecurityOn()).toBe(true)
    const narrow = { policyName: 'officer', operations: 'system.security,search' }
    await admin().do('securityPolicies', { ...edit, ...narrow })
  })

  it('manages what he holds', async () => {
    const officer = as('officer')
    const steps: [string, Given][] = [
      ['securityPolicies', { action: 'add', policyName: 'cancels', operations: 'search' }],
      ['securityGroups', { action: 'add', groupName: 'night', policy: 'cancels' }],
      ['securityGroups', { action: 'edit', groupName: 'night', members: 'ann,clerk' }],
      ['securityUsers', { action: 'edit', userName: 'ann', userPassword: 'password of ann' }],
      ['securityUsers', { action: 'edit', userName: 'officer', displayName: 'The officer' }],
      ['setPermissions', { path: 'Open', type: 'folder', viewGroups: 'night,officers' }],
      ['setPermissions', { path: 'Open', type: 'folder', editGroups: 'officers' }],
      ['setPermissions', { path: 'Open', type: 'folder', inherit: 'true' }],
      ['securityUsers', { action: 'remove', userName: 'clerk' }],
      ['securityGroups', { action: 'remove', groupName: 'night' }],
      ['securityPolicies', { action: 'remove', policyName: 'cancels' }],
    ]
    for (const [command, given] of steps)
      expect(await officer.do(command, given)).toMatchObject(done)
  })
})

describe('the administrator of a group', () => {
  const members = (name: string, more: Given, groupName = 'team') =>
    as(name).do('securityGroups', { action: 'edit', groupName, ...more })

  it('changes its members, himself or by a group of his, and nothing else', async () => {
    expect(await members('leader', { addMembers: 'ann' })).toMatchObject(done)
    expect(await members('leader', { members: 'leader' })).toMatchObject(done)
    expect(await members('ann', { addMembers: 'ann' })).toMatchObject(missing)
    await admin().do('securityGroups', {
      action: 'add',
      groupName: 'leaders',
      members: 'ann',
      administeredGroups: 'team',
    })
    expect(await members('ann', { addMembers: 'ann' })).toMatchObject(done)
    // The list that named the leader is still there.
    expect(await members('leader', { removeMembers: 'ann' })).toMatchObject(done)
    const tries: Given[] = [
      { policy: 'administrators' },
      { administrators: 'ann' },
      { description: 'x' },
      { parents: 'miners' },
      { addMembers: 'ann', displayName: 'x' },
    ]
    for (const more of tries) expect(await members('leader', more)).toMatchObject(missing)
    for (const action of ['add', 'remove'])
      expect(await as('leader').do('securityGroups', { action, groupName: 'team' })).toMatchObject(
        missing,
      )
  })

  it('gets one answer for a group of others and for one that is not there', async () => {
    const ask = (groupName: string) => members('leader', { addMembers: 'leader' }, groupName)
    const answers = await Promise.all(['miners', 'niners', 'administrators'].map(ask))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject(missing)
  })

  it('gives nobody what he lacks himself', async () => {
    const give = (administrators: string) =>
      admin().do('securityGroups', { action: 'edit', groupName: 'miners', administrators })
    await give('leader')
    for (const addMembers of ['leader', 'ann', 'group:team'])
      expect(await members('leader', { addMembers }, 'miners')).toMatchObject(exceeded)
    await give('leader,miner')
    expect(await members('miner', { addMembers: 'ann' }, 'miners')).toMatchObject(done)
    expect(await members('miner', { removeMembers: 'ann' }, 'miners')).toMatchObject(done)
  })
})
