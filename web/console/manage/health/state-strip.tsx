import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { printCount } from '../../../shared/format.ts'
import { printBytes, printLength } from '../parts/print.ts'
import { SectionLink } from '../parts/section-link.tsx'
import { HEALTH_TEXTS as T } from './texts.ts'

type StateStripProps = {
  readonly state: SdkAnswer<'systemState'>
  /** Events a second; undefined: not known yet. */
  readonly rate: number | undefined
}

export function StateStrip({ state, rate }: StateStripProps) {
  const { events, waiting, searches, tails, disk } = state
  return (
    <dl class="strip">
      <div>
        <dt>{T.receiving}</dt>
        <dd class="strip-sum">{rate === undefined ? '…' : T.perSecond(printRate(rate))}</dd>
      </div>
      <div>
        <dt>{T.received}</dt>
        <dd class="strip-sum">{printCount(events.received)}</dd>
        {events.rejected > 0 && (
          <dd>
            <SectionLink id="rejected">{T.rejected(printCount(events.rejected))}</SectionLink>
          </dd>
        )}
      </div>
      <div>
        <dt>{T.waiting}</dt>
        <dd class="strip-sum">
          {waiting.bytes === 0
            ? T.nothingWaits
            : T.waits(printBytes(waiting.bytes), printLength(waiting.seconds * 1000))}
        </dd>
      </div>
      <div>
        <dt>{T.searches}</dt>
        <dd class="strip-sum">
          {T.searchesNow(printCount(searches.running), printCount(searches.queued))}
        </dd>
      </div>
      <div>
        <dt>{T.tails}</dt>
        <dd class="strip-sum">{printCount(tails)}</dd>
      </div>
      {disk.freeBytes !== null && disk.bytes !== null && (
        <div>
          <dt>{T.disk}</dt>
          <dd class="strip-sum">{T.diskOf(printBytes(disk.freeBytes), printBytes(disk.bytes))}</dd>
          <dd>
            <SectionLink id="storage">{T.byLog}</SectionLink>
          </dd>
        </div>
      )}
    </dl>
  )
}

function printRate(rate: number): string {
  return rate < 10 && !Number.isInteger(rate) ? rate.toFixed(1) : printCount(Math.round(rate))
}
