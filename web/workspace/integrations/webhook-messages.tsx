import { useState } from 'preact/hooks'
import { address, changeParameters } from '../../shared/address.ts'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import type { Attempt, Message } from '../api/types.ts'
import { useList } from '../api/use-list.ts'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { printTime } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'
import { MessageState } from './webhook-state.tsx'
import './webhooks.css'

const T = WORKSPACE.webhooks
const STATES = ['', 'pending', 'delivered', 'failed', 'skipped'] as const

/** The debugger: each message with its body and all attempts. */
export function WebhookMessages({
  id,
  canReplay,
}: {
  readonly id: string
  readonly canReplay: boolean
}) {
  const given = address.value.parameters.get('state')
  const state = STATES.find((one) => one === given) ?? ''
  const shown = address.value.parameters.get('message')
  const path = `/webhooks/${id}/messages`
  const list = useList<Message>(state === '' ? path : `${path}?state=${state}`)
  const act = useAct(list.again)
  const replay = (message: string) =>
    act.run(async () => {
      await ask(`${path}/${message}/replay`, { method: 'POST' })
      toast(T.replayed)
    })
  return (
    <section class="part">
      <div class="card-head">
        <h2>{T.messages}</h2>
        <div class="row wrap">
          <select
            class="input"
            aria-label={T.state}
            value={state}
            onChange={(event) => changeParameters({ state: event.currentTarget.value })}
          >
            {STATES.map((one) => (
              <option key={one} value={one}>
                {one === '' ? T.allStates : T.messageStates[one]}
              </option>
            ))}
          </select>
          <Button onClick={list.again}>{T.refresh}</Button>
          {canReplay && <ReplaySince id={id} onDone={list.again} />}
        </div>
      </div>
      <FormError error={act.error} />
      <ListPart
        list={list}
        empty={
          <Empty title={T.noMessages}>
            <p class="soft">{T.noMessagesText}</p>
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={T.messages}
            columns={[
              { name: T.at, by: ['at', ({ createdAt }) => rankOfTime(createdAt)] },
              { name: T.kind, by: ['kind', ({ type }) => type] },
              { name: T.state, by: ['state', ({ state }) => T.messageStates[state]] },
              { name: T.tries, isNumber: true, by: ['tries', ({ tries }) => tries] },
              { name: T.next, by: ['next', ({ nextAttemptAt }) => rankOfTime(nextAttemptAt)] },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {(message) => (
              <>
                <tr key={message.id}>
                  <td class="time">{printTime(message.createdAt)}</td>
                  <td class="strong">{message.type}</td>
                  <td>
                    <MessageState {...message} />
                  </td>
                  <td class="number">{message.tries}</td>
                  <td class="time">
                    {message.nextAttemptAt === null ? '–' : printTime(message.nextAttemptAt)}
                  </td>
                  <td class="acts">
                    <Button
                      aria-expanded={shown === message.id}
                      onClick={() =>
                        changeParameters({ message: shown === message.id ? '' : message.id })
                      }
                    >
                      {shown === message.id ? T.hide : T.look}
                    </Button>
                    {canReplay && message.state !== 'pending' && (
                      <Button disabled={act.isBusy} onClick={() => replay(message.id)}>
                        {T.replay}
                      </Button>
                    )}
                  </td>
                </tr>
                {shown === message.id && (
                  <tr key={`${message.id} more`}>
                    <td colSpan={6}>
                      <MessageDetail
                        webhook={id}
                        message={message.id}
                        turn={`${message.tries} ${message.state}`}
                      />
                    </td>
                  </tr>
                )}
              </>
            )}
          </Table>
        )}
      </ListPart>
    </section>
  )
}

function MessageDetail({
  webhook,
  message,
  turn,
}: {
  readonly webhook: string
  readonly message: string
  readonly turn: string
}) {
  const asked = useAsked(`${message} ${turn}`, async (signal) => {
    const path = `/webhooks/${webhook}`
    const [told, attempts] = await Promise.all([
      ask<{ body: string }>(`${path}/messages/${message}`, { signal }),
      ask<{ data: readonly Attempt[] }>(`${path}/attempts?messageId=${message}&limit=50`, {
        signal,
      }),
    ])
    return { body: told.body, attempts: attempts.data }
  })
  return (
    <AskedPart asked={asked}>
      {({ body, attempts }) => (
        <div class="message-detail">
          <div class="part">
            <h3>{T.attempts}</h3>
            {attempts.length === 0 && <p class="soft">{T.noAttempts}</p>}
            {attempts.map(({ id, at, status, failure, durationMs, answer }) => (
              <div key={id} class="message-attempt">
                <p>
                  <span class="soft tabular">{printTime(at)}</span>{' '}
                  <b>{status === null ? T.noAnswer : T.answered(status)}</b>{' '}
                  <span class="soft tabular">{durationMs} ms</span>
                </p>
                {failure !== null && <p class="field-error">{failure}</p>}
                {answer !== '' && <pre class="secret">{answer}</pre>}
              </div>
            ))}
          </div>
          <div class="part">
            <h3>{T.body}</h3>
            <pre class="secret">{pretty(body)}</pre>
            <p class="soft">
              <code>webhook-id: {message}</code>
            </p>
          </div>
        </div>
      )}
    </AskedPart>
  )
}

/** Sends again what failed or was skipped since a day. */
function ReplaySince({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const [since, setSince] = useState('')
  const act = useAct(onDone)
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        act.run(async () => {
          const { count } = await ask<{ count: number }>(`/webhooks/${id}/replay`, {
            body: { since: `${since}T00:00:00Z` },
          })
          toast(T.replayedMany(count))
        })
      }}
    >
      <input
        class="input message-since"
        aria-label={T.since}
        placeholder="2026-11-24"
        required
        pattern="\d{4}-\d\d-\d\d"
        value={since}
        onInput={(event) => setSince(event.currentTarget.value)}
      />
      <Button type="submit" disabled={act.isBusy}>
        {T.replaySince}
      </Button>
      {act.error !== undefined && <span class="field-error">{act.error}</span>}
    </form>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
