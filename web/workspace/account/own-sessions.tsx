import { Button } from '../../shared/parts/button.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import type { OwnSession } from '../api/types.ts'
import { useList } from '../api/use-list.ts'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Pill } from '../parts/pill.tsx'
import { printTime } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.account

export function OwnSessions() {
  const list = useList<OwnSession>('/sessions')
  const act = useAct(list.again)
  return (
    <section class="part">
      <h2>{T.sessions}</h2>
      <p class="soft">{T.sessionsHelp}</p>
      <FormError error={act.error} />
      <ListPart list={list} empty={null}>
        {(rows, order) => (
          <Table
            label={T.sessions}
            columns={[
              { name: T.address, by: ['address', ({ address }) => address] },
              { name: T.since, by: ['since', ({ createdAt }) => rankOfTime(createdAt)] },
              { name: T.ends, by: ['ends', ({ expiresAt }) => rankOfTime(expiresAt)] },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {({ id, address, createdAt, expiresAt, isThisOne }) => (
              <tr key={id}>
                <td>{address ?? '–'}</td>
                <td class="time">{printTime(createdAt)}</td>
                <td class="time">{printTime(expiresAt)}</td>
                <td class="acts">
                  {isThisOne ? (
                    <Pill tone="info">{T.thisOne}</Pill>
                  ) : (
                    <Button
                      disabled={act.isBusy}
                      onClick={() =>
                        act.run(async () => {
                          await ask(`/sessions/${id}`, { method: 'DELETE' })
                        })
                      }
                    >
                      {T.end}
                    </Button>
                  )}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </section>
  )
}
