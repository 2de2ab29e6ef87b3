import { useState } from 'preact/hooks'
import type { UserView } from '../../../../schemas/public-calls/user-view.ts'
import { isOperation, OPERATION_TREE } from '../../../../schemas/users.ts'
import { BASE } from '../../../shared/address.ts'
import { readUserView } from '../../../shared/api/user-view.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { MANAGE } from '../texts.ts'
import './user-view.css'

const T = MANAGE.userView

/** Folders and logs as one user sees them; the server works it out with his rights. */
export function UserViewPage({ user, base }: { readonly user: string; readonly base: string }) {
  const asked = useAsked(`user view ${user}`, (signal) => readUserView(user, signal))
  return (
    <div class="object">
      <nav class="object-way">
        <a href={withParameters(base, { item: user })}>‹ {user}</a>
      </nav>
      <div class="object-head">
        <h1>{T.title(user)}</h1>
      </div>
      <AskedPart asked={asked}>{(view) => <Told view={view} />}</AskedPart>
    </div>
  )
}

function Told({ view }: { readonly view: UserView }) {
  const [find, setFind] = useState('')
  const { nodes, total, hidden, isEnabled, isAdministrator, operations, groups } = view
  const wanted = find.trim().toLowerCase()
  const shown = nodes.filter(({ path }) => path.toLowerCase().includes(wanted))
  const logs = nodes.filter(({ kind }) => kind === 'log').length
  return (
    <>
      {!isEnabled && <p class="field-error">{T.disabled}</p>}
      <dl class="user-view-facts">
        <dt>{T.sees}</dt>
        <dd>
          {T.logs(printCount(logs), printCount(total.logs))}
          {hidden > 0 && ` ${T.hidden(printCount(hidden))}`}
        </dd>
        <dt>{T.may}</dt>
        <dd>
          {isAdministrator ? T.everything : operations.map(describe).join('; ') || T.viewOnly}
        </dd>
        <dt>{T.groups}</dt>
        <dd>{groups.join(', ') || '–'}</dd>
      </dl>
      <input
        class="input objects-find"
        type="search"
        placeholder={MANAGE.tree.find}
        aria-label={MANAGE.tree.find}
        value={find}
        onInput={(event) => setFind(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <p class="soft">{nodes.length === 0 ? T.nothing : MANAGE.list.nothingFound(find)}</p>
      ) : (
        <ul class="tree" aria-label={T.title(view.user)}>
          {shown.map(({ path, kind, mayEdit }) => {
            const levels = path.split('->')
            const rights = withParameters(`${BASE}/manage/rights`, { node: `${kind}.${path}` })
            return (
              <li key={`${kind} ${path}`}>
                <div class={`tree-row tree-level-${Math.min(levels.length - 1, 8)}`}>
                  <span class={kind === 'folder' ? 'tree-folder' : 'tree-log'} title={path}>
                    {levels.at(-1)}
                  </span>
                  <span class="grow" />
                  <span class="soft">{mayEdit ? T.edits : T.views}</span>
                  <span class="tree-acts">
                    <a href={rights} aria-label={`${MANAGE.tree.rights}: ${path}`}>
                      {MANAGE.tree.rights}
                    </a>
                  </span>
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

function describe(operation: string): string {
  return isOperation(operation) ? OPERATION_TREE[operation] : operation
}
