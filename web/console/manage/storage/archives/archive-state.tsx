import type { SdkAnswer } from '../../../../../schemas/sdk/commands.ts'
import { printMoment } from '../../parts/moment.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { ARCHIVE_TEXTS } from './texts.ts'

const T = ARCHIVE_TEXTS

export type Archive = SdkAnswer<'listArchives'>['archives'][number]

const TONES: Readonly<Record<Archive['state'], Tone>> = {
  ...{ asked: 'info', writing: 'info', done: 'good', removing: 'faint' },
}

/** Whether something is being done with it. */
export function isMoving({ state, fault, thaw }: Archive): boolean {
  const isThawMoving = thaw !== null && thaw.state !== 'thawed' && thaw.fault === ''
  return (state !== 'done' && fault === '') || isThawMoving
}

/** How it stands, where its events are, and what went wrong. */
export function ArchiveState({ archive }: { readonly archive: Archive }) {
  const { state, isForeign, fault, droppedAt, thaw } = archive
  const isInStore = state === 'done' && droppedAt === null && !isForeign
  return (
    <>
      <Pill tone={fault === '' ? TONES[state] : 'error'}>
        {fault === '' || state === 'done' ? T.states[state] : T.fault}
      </Pill>
      {isInStore && <span class="objects-below">{T.inStore}</span>}
      {thaw !== null && (
        <div>
          <Pill tone={thaw.fault === '' ? 'info' : 'error'}>{T.thawStates[thaw.state]}</Pill>{' '}
          <span class="soft">{T.until(printMoment(thaw.until))}</span>
        </div>
      )}
      {[fault, thaw?.fault ?? ''].map(
        (text) =>
          text !== '' && (
            <div key={text} class="audit-refused">
              {text}
            </div>
          ),
      )}
    </>
  )
}
