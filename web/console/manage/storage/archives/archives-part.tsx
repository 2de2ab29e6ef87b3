import { useState } from 'preact/hooks'
import { BASE, go } from '../../../../shared/address.ts'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { useAsked } from '../../../../shared/asked.ts'
import { elapsedMs } from '../../../../shared/clock.ts'
import { printCount } from '../../../../shared/format.ts'
import { AskedPart } from '../../../../shared/parts/asked-part.tsx'
import { Button } from '../../../../shared/parts/button.tsx'
import { Menu, type MenuItem } from '../../../../shared/parts/menu.tsx'
import { toast } from '../../../../shared/parts/toast.tsx'
import { useAct } from '../../../../shared/use-act.ts'
import { useFollowing } from '../../../../shared/use-following.ts'
import { Moment } from '../../parts/moment.tsx'
import { printBytes } from '../../parts/print.ts'
import { SectionLink } from '../../parts/section-link.tsx'
import { TableBox } from '../../parts/table-box.tsx'
import { STORAGE_TEXTS } from '../texts.ts'
import { AdoptDialog } from './adopt-dialog.tsx'
import { type Archive, ArchiveState, isMoving } from './archive-state.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { ARCHIVE_TEXTS } from './texts.ts'
import { EndDialog, ThawDialog } from './thaw-dialog.tsx'
import { WriteDialog } from './write-dialog.tsx'

const T = ARCHIVE_TEXTS
const MOST = '200'
const LOGS_SHOWN = 3
const DAY_MS = 86_400_000

/** A check that says the same as the one before it looks like one that is not done. */
const CHECK_MS = 120_000

type Checking = Pick<Archive, 'number' | 'verifiedAt' | 'fault'> & { readonly sinceMs: number }
type Asking = { readonly what: 'thaw' | 'end' | 'remove'; readonly archive: Archive }

/** Days that were written away; what is under way is asked for again. */
export function ArchivesPart() {
  const asked = useAsked('archives', (signal) => runCommand('listArchives', { top: MOST }, signal))
  const [isNew, setNew] = useState<'write' | 'adopt'>()
  const [asking, setAsking] = useState<Asking>()
  const act = useAct(asked.again)
  const [checking, setChecking] = useState<Checking>()
  const { archives: known = [] } = asked.answer ?? {}
  useFollowing(
    asked,
    known.some((one) => isMoving(one) || isChecked(one, checking)),
  )
  const close = () => {
    setNew(undefined)
    setAsking(undefined)
  }
  const given = { onDone: asked.again, onClose: close }
  const check = ({ number, verifiedAt, fault }: Archive) =>
    act.run(async () => {
      await runCommand('verifyArchive', { archive: String(number) })
      setChecking({ number, verifiedAt, fault, sinceMs: elapsedMs() })
      toast(T.verifying)
    })
  const onAsk = (what: Asking['what'], archive: Archive) => setAsking({ what, archive })
  return (
    <section class="part">
      <p class="objects-intro">{T.intro}</p>
      <div class="row wrap">
        <Button onClick={() => setNew('write')}>{T.write.button}</Button>
        <Button onClick={() => setNew('adopt')}>{T.adopt.button}</Button>
      </div>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      <AskedPart asked={asked}>
        {({ archives }) =>
          archives.length === 0 ? (
            <p class="objects-none">
              {T.none} {T.noneHow} <SectionLink id="collection">{T.policies}</SectionLink>
            </p>
          ) : (
            <TableBox label={STORAGE_TEXTS.tabs.archives} look="wide">
              <thead>
                <tr>
                  <th class="number">{T.number}</th>
                  <th>{T.day}</th>
                  <th>{T.policy}</th>
                  <th>{T.state}</th>
                  <th class="number">{T.events}</th>
                  <th class="number">{T.received}</th>
                  <th>{T.logs}</th>
                  <th>{T.written}</th>
                  <th>{T.checked}</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {archives.map((archive) => (
                  <Row
                    key={archive.number}
                    archive={archive}
                    items={actsOf(archive, { check, onAsk })}
                  />
                ))}
              </tbody>
            </TableBox>
          )
        }
      </AskedPart>
      {isNew === 'write' && <WriteDialog {...given} />}
      {isNew === 'adopt' && <AdoptDialog {...given} />}
      {asking?.what === 'thaw' && <ThawDialog archive={asking.archive} {...given} />}
      {asking?.what === 'end' && <EndDialog archive={asking.archive} {...given} />}
      {asking?.what === 'remove' && <RemoveDialog archive={asking.archive} {...given} />}
    </section>
  )
}

function isChecked(one: Archive, checking: Checking | undefined): boolean {
  if (checking === undefined || elapsedMs() - checking.sinceMs > CHECK_MS) return false
  const { number, verifiedAt, fault } = checking
  return one.number === number && one.verifiedAt === verifiedAt && one.fault === fault
}

type Acts = {
  readonly check: (archive: Archive) => void
  readonly onAsk: (what: Asking['what'], archive: Archive) => void
}

/** Only what can be done with it now. */
function actsOf(archive: Archive, { check, onAsk }: Acts): readonly MenuItem[] {
  const { state, day, droppedAt, isForeign, thaw } = archive
  if (state === 'removing') return []
  const items: MenuItem[] = []
  const isFound = thaw?.state === 'thawed' || (droppedAt === null && !isForeign)
  if (isFound) items.push({ name: T.search, onChoose: () => go(searchOf(day)) })
  if (state === 'done') items.push({ name: T.verify, onChoose: () => check(archive) })
  if (state === 'done' && (droppedAt !== null || isForeign))
    items.push({
      name: thaw === null ? T.thaw.button : T.thaw.change,
      onChoose: () => onAsk('thaw', archive),
    })
  if (thaw === null) items.push({ name: T.remove.button, onChoose: () => onAsk('remove', archive) })
  else if (thaw.state !== 'ending')
    items.push({ name: T.thaw.end, onChoose: () => onAsk('end', archive) })
  return items
}

/** By the day of receipt: events that tell another time lie elsewhere. */
function searchOf(day: string): string {
  const from = Date.parse(`${day}T00:00:00Z`)
  const to = new Date(from + DAY_MS).toISOString()
  return `${BASE}/?${new URLSearchParams({ start: new Date(from).toISOString(), end: to })}`
}

type RowProps = { readonly archive: Archive; readonly items: readonly MenuItem[] }

function Row({ archive, items }: RowProps) {
  const { number, day, policy, isForeign, logs, events, bytes, writtenAt, verifiedAt } = archive
  const isKnown = archive.state === 'done' || archive.state === 'removing'
  return (
    <tr>
      <td class="number" data-head={T.number}>
        {number}
      </td>
      <td class="tabular objects-name">{day}</td>
      <td data-head={T.policy}>
        {policy} {isForeign && <span class="objects-origin">{T.foreign}</span>}
      </td>
      <td class="objects-wide">
        <ArchiveState archive={archive} />
      </td>
      <td class="number" data-head={T.events}>
        {isKnown ? printCount(events) : ''}
      </td>
      <td class="number" data-head={T.received}>
        {isKnown ? printBytes(bytes) : ''}
      </td>
      <td data-head={T.logs} title={logs.join('\n')}>
        {logs.slice(0, LOGS_SHOWN).join(', ')}
        {logs.length > LOGS_SHOWN && (
          <span class="soft"> {T.moreLogs(printCount(logs.length - LOGS_SHOWN))}</span>
        )}
      </td>
      <td data-head={T.written}>{isKnown ? <Moment iso={writtenAt} /> : ''}</td>
      <td data-head={T.checked}>{isKnown ? <Moment iso={verifiedAt} none={T.never} /> : ''}</td>
      <td class="objects-acts">
        {items.length > 0 && <Menu label="⋯" title={T.acts(String(number))} items={items} />}
      </td>
    </tr>
  )
}
