// The pages' table of objects says the same as the server's.
import { expect, it } from 'vitest'
import { OBJECT_KINDS } from '../../../query/sdk/objects/kinds.ts'
import { OBJECT_TYPES } from '../../../schemas/object-types.ts'
import { listArguments, SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { faultOf, fieldsOf } from '../../../web/console/manage/objects/form-fields.ts'
import { SHOWN_KINDS, type ShownType } from '../../../web/console/manage/objects/object-kinds.ts'

const TYPES = OBJECT_TYPES.filter(
  (type): type is ShownType => !['setting', 'permission', 'app', 'dashboard'].includes(type),
)

it.each(TYPES)('%s is made, changed, named and removed as the server does it', (type) => {
  const shown = SHOWN_KINDS[type]
  const kind = OBJECT_KINDS[type]
  expect(shown.type).toBe(type)
  expect(shown.command).toBe(kind.command)
  expect(shown.make).toEqual(kind.make ?? {})
  expect(shown.change).toEqual(kind.change ?? { update: 'true' })
  const { removal } = kind
  const asked = shown.remove('a name')
  expect(asked).toEqual(
    'command' in removal
      ? { command: removal.command, arguments: removal.arguments('a name') }
      : { command: 'removeObject', arguments: { type, name: 'a name' } },
  )
  expect(SDK_COMMANDS[asked.command].input.safeParse(asked.arguments).success).toBe(true)
})

it.each(TYPES)('%s: the list and the form know only arguments that there are', (type) => {
  const shown = SHOWN_KINDS[type]
  const names = listArguments(shown.command).map(({ name }) => name)
  for (const name of [
    ...shown.columns,
    ...shown.named,
    ...shown.first,
    ...shown.notOfIt,
    ...shown.onTabs,
  ])
    expect(names, `${type}: ${name}`).toContain(name)
  expect(names.includes('enabled')).toBe(shown.canBeDisabled)
  const fields = fieldsOf(shown)
  for (const name of shown.named) expect(fields.map((field) => field.name)).toContain(name)
  for (const act of ['update', 'action', 'verify'])
    expect(fields.map((field) => field.name)).not.toContain(act)
})

it('a field says which values it takes, and what is wrong with one', () => {
  const listener = SHOWN_KINDS.listener
  const split = fieldsOf(listener).find(({ name }) => name === 'splitBySource')
  expect(split).toMatchObject({
    look: 'choice',
    choices: [
      { value: 'none', text: 'Do Not Split' },
      { value: 'source', text: 'Create Log by Unique IP/Host Name' },
      { value: 'mask', text: 'Create Log by IP Mask' },
    ],
  })
  for (const { value } of split?.choices ?? [])
    expect(faultOf(listener, 'splitBySource', value)).toBeUndefined()
  expect(faultOf(listener, 'ipMask', '33')).toBeTypeOf('string')
  expect(faultOf(listener, 'ipMask', '24')).toBeUndefined()
})

it('examples are no choices, and a flag stands as its help says', () => {
  const fields = fieldsOf(SHOWN_KINDS.monitor)
  const look = (name: string) => fields.find((field) => field.name === name)
  expect(look('window')).toMatchObject({ look: 'line', examples: ['new', '15m', '1h', '1d'] })
  expect(look('rule')?.examples).toEqual(
    expect.arrayContaining(['exists', 'count > 5', 'new shape', 'every new shape']),
  )
  // What decides most stands first, not where the help of the command has it.
  expect(fields.map(({ name }) => name).slice(0, 3)).toEqual(['query', 'rule', 'window'])
  expect(look('severity')).toMatchObject({ look: 'choice' })
  expect(look('enabled')).toMatchObject({ look: 'flag', isOnByDefault: true })
  expect(look('tellEnd')).toMatchObject({ look: 'flag', isOnByDefault: false })
})
