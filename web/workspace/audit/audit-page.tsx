import type { Person } from '../../../schemas/portal/accounts.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import type { AuditEntry } from '../api/types.ts'
import { useList } from '../api/use-list.ts'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { Pill } from '../parts/pill.tsx'
import { printTime } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'
import { ACTIONS } from './texts.ts'

const T = WORKSPACE.audit

export function AuditPage() {
  const list = useList<AuditEntry>('/audit')
  // Whoever is not of this organization, or of its first page, stays an id.
  const people = useList<Person>('/people')
  const sayKind = (kind: string) => wordFor(T.kinds, kind)
  const nameOf = (caller: string) => people.rows?.find(({ id }) => caller === `person ${id}`)?.name
  return (
    <Page title={WORKSPACE.pages.audit} intro={T.intro}>
      <ListPart
        list={list}
        wordsOf={(row) =>
          [
            ...[nameOf(row.caller), sayKind(kindOf(row.caller)), sayAction(row.action)],
            ...Object.values(row),
          ].join(' ')
        }
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.audit}
            columns={[
              { name: T.at, by: ['at', ({ at }) => rankOfTime(at)] },
              { name: T.action, by: ['action', ({ action }) => sayAction(action)] },
              { name: T.result, by: ['result', ({ result }) => result] },
              {
                name: T.caller,
                by: ['caller', ({ caller }) => nameOf(caller) ?? sayKind(kindOf(caller))],
              },
              { name: T.target, by: ['target', ({ target }) => target] },
              { name: T.address, by: ['address', ({ address }) => address] },
            ]}
            rows={rows}
            order={order}
          >
            {({ id, at, action, caller, target, result, address }) => (
              <tr key={id}>
                <td class="time">{printTime(at)}</td>
                <td>
                  {sayAction(action)}
                  <code class="sub">{action}</code>
                </td>
                <td>
                  <Pill tone={result === 'done' ? 'good' : 'error'}>{result}</Pill>
                </td>
                <td>
                  {nameOf(caller) ?? sayKind(kindOf(caller))}
                  <code class="sub">{caller.slice(kindOf(caller).length + 1)}</code>
                </td>
                <td>
                  <code>{target}</code>
                </td>
                <td class="soft">{address}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </Page>
  )
}

function sayAction(action: string): string {
  return wordFor(ACTIONS, action)
}

/** A name that has none stands for itself. */
function wordFor(words: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(words).find(([one]) => one === name)?.[1] ?? name
}

/** `person per_…`, `license crd_…`: what it is, and its id. */
function kindOf(caller: string): string {
  return caller.split(' ', 1)[0] ?? caller
}
