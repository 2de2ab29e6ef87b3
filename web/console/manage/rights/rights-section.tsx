import { useState } from 'preact/hooks'
import { address, go } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { MANAGE } from '../texts.ts'

const T = MANAGE.rights
const LISTS = ['viewGroups', 'viewUsers', 'editGroups', 'editUsers'] as const
type Lists = Partial<Record<(typeof LISTS)[number], string>>

/** Who may view and edit which folders and logs; `node` of the address is the one to set. */
export function RightsSection() {
  const { parameters, path } = address.value
  const node = parameters.get('node')
  const asked = useAsked('permissions', async (signal) => {
    const { objects } = await runCommand('list', { type: 'permission', details: 'true' }, signal)
    return objects.map(({ name, arguments: given = {} }) => ({ name, given }))
  })
  return (
    <Section
      title={MANAGE.pages.rights}
      intro={T.intro}
      acts={
        <a class="button button-main" href={withParameters(path, { node: 'folder.' })}>
          {T.set}
        </a>
      }
    >
      <AskedPart asked={asked}>
        {(rows) => (
          <>
            {node !== null && (
              <RightsForm
                key={node}
                node={node}
                known={rows.find(({ name }) => name === node)?.given ?? {}}
                onDone={() => {
                  asked.again()
                  go(path)
                }}
              />
            )}
            {rows.length === 0 ? (
              <p class="objects-none">{T.none}</p>
            ) : (
              <TableBox label={MANAGE.pages.rights}>
                <thead>
                  <tr>
                    <th>{T.path}</th>
                    <th>{T.view}</th>
                    <th>{T.edit}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ name, given }) => (
                    <tr key={name}>
                      <td class="objects-name">
                        <a href={withParameters(path, { node: name })}>{pathOf(name)}</a>{' '}
                        <span class="soft">{T[typeOf(name)]}</span>
                      </td>
                      <td>{told(given, 'view')}</td>
                      <td>{told(given, 'edit')}</td>
                    </tr>
                  ))}
                </tbody>
              </TableBox>
            )}
          </>
        )}
      </AskedPart>
    </Section>
  )
}

function typeOf(node: string): 'log' | 'folder' {
  return node.startsWith('log.') ? 'log' : 'folder'
}

function pathOf(node: string): string {
  return node.replace(/^(log|folder)\./, '')
}

function told(given: Readonly<Record<string, string>>, list: 'view' | 'edit'): string {
  if (given.inherit === list) return T.inherit
  return [given[`${list}Groups`], given[`${list}Users`]].filter(Boolean).join(', ') || '–'
}

type RightsFormProps = {
  /** folder.Web->Edge or log.Web->Edge->access. */
  readonly node: string
  readonly known: Readonly<Record<string, string>>
  readonly onDone: () => void
}

function RightsForm({ node, known, onDone }: RightsFormProps) {
  const [type, setType] = useState<string>(typeOf(node))
  const [path, setPath] = useState(pathOf(node))
  const [lists, setLists] = useState<Lists>({})
  const act = useAct(() => undefined)
  const isChosen = path !== ''
  const save = (given: Readonly<Record<string, string>>, said: string) =>
    act.run(async () => {
      await runCommand('setPermissions', { path, type, ...given })
      toast(said)
      onDone()
    })
  return (
    <form
      class="object-form"
      onSubmit={(event) => {
        event.preventDefault()
        const changed = Object.fromEntries(Object.entries(lists))
        save(withOther(changed, known), T.saved(path))
      }}
    >
      <label class="field">
        <span class="soft">{T.type}</span>
        <select class="input" value={type} onChange={(event) => setType(event.currentTarget.value)}>
          <option value="folder">{T.folder}</option>
          <option value="log">{T.log}</option>
        </select>
      </label>
      <Field label={T.path} name="path" required value={path} onInput={setPath} />
      {LISTS.map((list) => (
        <Field
          key={list}
          label={T[list]}
          name={list}
          help={T.listHelp}
          value={lists[list] ?? known[list] ?? ''}
          onInput={(value) => setLists({ ...lists, [list]: value })}
        />
      ))}
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      <div class="row">
        <Button
          look="main"
          type="submit"
          disabled={act.isBusy || !isChosen || Object.keys(lists).length === 0}
        >
          {MANAGE.form.save}
        </Button>
        <Button
          disabled={act.isBusy || !isChosen}
          onClick={() => save({ inherit: 'true' }, T.inherited(path))}
        >
          {T.inherit}
        </Button>
      </div>
    </form>
  )
}

/** Groups and users of one list go together: the one that was not typed keeps what it has. */
function withOther(
  typed: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = { ...typed }
  for (const list of ['view', 'edit'])
    for (const [one, other] of [
      ['Groups', 'Users'],
      ['Users', 'Groups'],
    ]) {
      const kept = known[`${list}${other}`]
      if (given[`${list}${one}`] !== undefined && given[`${list}${other}`] === undefined)
        given[`${list}${other}`] = kept ?? ''
    }
  return given
}
