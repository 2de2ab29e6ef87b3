import { useEffect, useState } from 'preact/hooks'
import type { ContextAnswer, EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { CallError } from '../../../shared/api/call.ts'
import { searchContext } from '../../../shared/api/search.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { T } from '../texts.ts'
import { LETTERS, levelOfEvent } from './level.ts'

const BESIDE = 8
const MOST = 1000
const AMONG = ['log', 'source'] as const

export type ContextProps = {
  readonly event: EventAnswer
  readonly printTime: (iso: string) => string
}

/** The events before and after one, oldest first. */
export function EventContext({ event, printTime }: ContextProps) {
  const [among, setAmong] = useState<'log' | 'source'>('source')
  const [count, setCount] = useState(BESIDE)
  const [told, setTold] = useState<ContextAnswer>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    const ending = new AbortController()
    setError(undefined)
    const asked = { event: event.id, among, before: count, after: count }
    searchContext(asked, ending.signal).then(setTold, (thrown: unknown) => {
      if (thrown instanceof CallError) setError(thrown.message)
    })
    return () => ending.abort()
  }, [event.id, among, count])
  return (
    <div>
      <div class="row">
        {AMONG.map((name) => (
          <Button key={name} look="plain" isOn={name === among} onClick={() => setAmong(name)}>
            {T.among[name]}
          </Button>
        ))}
        <Button look="plain" onClick={() => setCount(Math.min(MOST, count * 3))}>
          ± {count}
        </Button>
      </div>
      {error !== undefined && <p role="alert">{error}</p>}
      {told !== undefined &&
        [...told.before, told.event, ...told.after].map((one) => (
          <div
            key={one.id}
            class={`context-line context-of-${among}${one.id === event.id ? ' context-own' : ''}`}
          >
            <Moment text={printTime(one.timestamp)} />
            <ContextLevel event={one} />
            {among === 'source' && (
              <span class="context-log soft" title={`${one.folder}->${one.log}`}>
                {one.log}
              </span>
            )}
            <span class="context-text" title={one.message}>
              {one.message}
            </span>
          </div>
        ))}
    </div>
  )
}

/** Where there is little room, without its day. */
function Moment({ text }: { readonly text: string }) {
  const at = text.indexOf(' ') + 1
  return (
    <span class="soft tabular">
      <span class="context-day">{text.slice(0, at)}</span>
      {text.slice(at)}
    </span>
  )
}

function ContextLevel({ event }: { readonly event: EventAnswer }) {
  const level = levelOfEvent(event)
  return <span class={`context-level context-${level}`}>{level && LETTERS[level]}</span>
}
