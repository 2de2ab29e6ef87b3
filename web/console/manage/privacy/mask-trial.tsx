import { useEffect, useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { printCount } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { TableBox } from '../parts/table-box.tsx'
import { PRIVACY_TEXTS } from './texts.ts'

const T = PRIVACY_TEXTS.trial

type Trial = SdkAnswer<'verifyMask'>

/** What these rules would hide in events that are stored. */
export function MaskTrial({ listener, rules }: { listener: string; rules: string }) {
  const [told, setTold] = useState<Trial>()
  const act = useAct(() => undefined)
  useEffect(() => setTold(undefined), [rules])
  return (
    <section class="part">
      <h2>{T.title}</h2>
      <p class="soft">{T.intro}</p>
      <div class="row">
        <Button
          disabled={act.isBusy || rules === ''}
          onClick={() =>
            act.run(async () =>
              setTold(await runCommand('verifyMask', { listener, maskRules: rules })),
            )
          }
        >
          {T.start}
        </Button>
      </div>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      {told !== undefined && <Told told={told} />}
    </section>
  )
}

function Told({ told: { events, masked, rules, examples } }: { readonly told: Trial }) {
  if (events === 0) return <p class="soft">{T.noEvent}</p>
  return (
    <>
      <p role="status">
        <b>{T.counted(printCount(masked), printCount(events))}</b> {masked === 0 && T.nothing}
      </p>
      <TableBox label={T.rule}>
        <thead>
          <tr>
            <th>{T.rule}</th>
            <th class="number">{T.values}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ rule, values }) => (
            <tr key={rule}>
              <td>
                <code>{rule}</code>
              </td>
              <td class="number">{printCount(values)}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
      {examples.length > 0 && (
        <TableBox label={T.examples}>
          <thead>
            <tr>
              <th>{T.log}</th>
              <th>{T.before}</th>
              <th>{T.after}</th>
            </tr>
          </thead>
          <tbody>
            {examples.map(({ log, before, after }, index) => (
              <tr key={index}>
                <td>{log}</td>
                <td class="objects-wide">
                  <code class="mask-example">{before}</code>
                </td>
                <td class="objects-wide">
                  <code class="mask-example">{after}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </>
  )
}
