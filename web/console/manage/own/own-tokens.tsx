import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { OnceDialog } from '../objects/dialogs/once-dialog.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { MANAGE } from '../texts.ts'

const T = MANAGE.own
const USUAL_DAYS = '90'

export function OwnTokens() {
  const asked = useAsked('tokens', (signal) => runCommand('apiToken', { action: 'list' }, signal))
  const [name, setName] = useState('')
  const [ends, setEnds] = useState(USUAL_DAYS)
  const [policy, setPolicy] = useState('')
  const [token, setToken] = useState<string>()
  const act = useAct(asked.again)
  return (
    <section class="own">
      <h2>{T.tokens}</h2>
      <p class="soft">{T.tokensHelp}</p>
      <AskedPart asked={asked}>
        {({ tokens = [] }) =>
          tokens.length === 0 ? (
            <p class="soft">{T.noToken}</p>
          ) : (
            <TableBox label={T.tokens}>
              <thead>
                <tr>
                  <th>{MANAGE.list.name}</th>
                  <th>{T.made}</th>
                  <th>{T.ends}</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {tokens.map((one) => (
                  <tr key={one.name}>
                    <td class="objects-name">
                      {one.name} <span class="soft">…{one.lastFour}</span>
                    </td>
                    <td>{one.made}</td>
                    <td class={one.hasEnded ? 'audit-refused' : ''}>{one.ends}</td>
                    <td class="objects-acts">
                      <Button
                        disabled={act.isBusy}
                        onClick={() =>
                          act.run(async () => {
                            await runCommand('apiToken', { action: 'remove', name: one.name })
                          })
                        }
                      >
                        {T.remove}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </TableBox>
          )
        }
      </AskedPart>
      <form
        class="object-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const given = { action: 'add', name, ends, ...(policy === '' ? {} : { policy }) }
            const answer = await runCommand('apiToken', given)
            setToken(answer.token)
            setName('')
          })
        }}
      >
        <Field label={T.tokenName} name="tokenName" required value={name} onInput={setName} />
        <Field label={T.tokenEnds} name="ends" required value={ends} onInput={setEnds} />
        <Field
          label={T.tokenPolicy}
          name="policy"
          value={policy}
          error={act.error}
          onInput={setPolicy}
        />
        <div class="row">
          <Button type="submit" disabled={act.isBusy}>
            {T.makeToken}
          </Button>
        </div>
      </form>
      {token !== undefined && (
        <OnceDialog shownOnce={{ token }} isListener={false} onClose={() => setToken(undefined)} />
      )}
    </section>
  )
}
