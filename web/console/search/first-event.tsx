import { useEffect, useState } from 'preact/hooks'
import { searchEvents } from '../../shared/api/search.ts'
import { session } from '../../shared/api/session.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { copyText } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { withParameters } from '../../shared/with-parameters.ts'
import { sectionPath } from '../manage/section-path.ts'
import { mayOpenSection } from '../manage/section-rights.ts'
import { T } from './texts.ts'
import './first-event.css'

const LOOK_MS = 1000

/** Until one has come: how to send it. Looks each second, and is gone when it is there. */
export function FirstEvent({ onFound }: { readonly onFound: () => void }) {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const ending = new AbortController()
    const timer = setTimeout(() => {
      searchEvents({ query: '*', interval: 'allData', limit: 1 }, ending.signal).then(
        ({ data }) => (data.length > 0 ? onFound() : setTries(tries + 1)),
        () => {
          if (!ending.signal.aborted) setTries(tries + 1)
        },
      )
    }, LOOK_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [tries, onFound])
  const command = `curl -X POST '${location.origin}/logeye/api/logger.jsp?token=TOKEN&hostName=web-01' \\
  -H 'Content-Type: application/json' \\
  -d '{"message":"disk full on /var","level":"ERROR"}'`
  return (
    <Empty title={T.firstEvent.title}>
      <p>{T.firstEvent.text}</p>
      <pre class="first-event">{command}</pre>
      <p class="soft">
        {T.firstEvent.token}{' '}
        {mayOpenSection('listeners', session.value) && (
          <a href={withParameters(sectionPath('listeners'), { new: '1' })}>
            {T.firstEvent.another}
          </a>
        )}
      </p>
      <div class="row">
        <Button look="main" onClick={() => void copyText(command, TEXTS.act.copied)}>
          {T.firstEvent.copy}
        </Button>
        <Button look="plain" onClick={onFound}>
          {T.firstEvent.skip}
        </Button>
        <span class="soft" role="status">
          {T.firstEvent.wait}
        </span>
      </div>
    </Empty>
  )
}
