import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Section } from '../parts/section.tsx'
import { MANAGE } from '../texts.ts'
import { FindingTable } from './finding-table.tsx'
import { ProcessTable } from './process-table.tsx'
import { readReceived, readSlow } from './read-health.ts'
import { ReceivedChart } from './received-chart.tsx'
import { SlowSearches } from './slow-searches.tsx'
import { StateStrip } from './state-strip.tsx'
import { HEALTH_TEXTS as T } from './texts.ts'
import { useRate } from './use-rate.ts'

/** How much comes in, waits and is searched, what is wrong, and what the processes take. */
export function HealthSection() {
  const found = useAsked('doctor', (signal) => runCommand('doctor', {}, signal))
  const state = useAsked('systemState', (signal) => runCommand('systemState', {}, signal))
  const rate = useRate(state)
  const received = useAsked('received', readReceived)
  const slow = useAsked('slow', readSlow)
  const all = [found, state, received, slow]
  return (
    <Section
      title={MANAGE.pages.health}
      acts={
        <Button
          disabled={all.some(({ isBusy }) => isBusy)}
          onClick={() => {
            for (const one of all) one.again()
          }}
        >
          {T.again}
        </Button>
      }
    >
      <AskedPart asked={state}>{(told) => <StateStrip state={told} rate={rate} />}</AskedPart>
      <section class="part">
        <h2>{T.receivedDay}</h2>
        <p class="soft">{T.receivedHelp}</p>
        <AskedPart asked={received}>{(told) => <ReceivedChart quarters={told} />}</AskedPart>
      </section>
      <section class="part">
        <h2>{T.checks}</h2>
        <AskedPart asked={found}>{(told) => <FindingTable {...told} />}</AskedPart>
      </section>
      {state.answer !== undefined && (
        <section class="part">
          <h2>{T.processes}</h2>
          <ProcessTable state={state.answer} />
        </section>
      )}
      <section class="part">
        <h2>{T.slow}</h2>
        <AskedPart asked={slow}>{(searches) => <SlowSearches searches={searches} />}</AskedPart>
      </section>
    </Section>
  )
}
