import { useEffect, useState } from 'preact/hooks'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { searchTable } from '../../../shared/api/search.ts'
import { printScopeName } from '../../../shared/query/edit-query.ts'
import { T } from '../texts.ts'

const MOST = 200

/** The event as it came, byte for byte. */
export function OriginalText({ event }: { readonly event: EventAnswer }) {
  const [text, setText] = useState<string>()
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    readOriginal(event, ending.signal).then(
      (found) => (found === undefined ? setFailed(true) : setText(found)),
      () => setFailed(true),
    )
    return () => ending.abort()
  }, [event])
  if (isFailed) return <p class="soft">{T.noOriginal}</p>
  return <pre class="detail-text">{text ?? T.original}</pre>
}

/** Of the events of its log in its millisecond the one of its size that says the same. */
async function readOriginal(event: EventAnswer, signal: AbortSignal): Promise<string | undefined> {
  const path = event.folder === 'ROOT' ? event.log : `${event.folder}->${event.log}`
  const startMs = new Date(event.timestamp).getTime()
  const { rows } = await searchTable(
    {
      query: `* in log.${printScopeName(path)} | list raw`,
      start: new Date(startMs).toISOString(),
      end: new Date(startMs + 1).toISOString(),
      limit: MOST,
    },
    signal,
  )
  const encoder = new TextEncoder()
  const texts = rows
    .map(([cell]) => cell ?? '')
    .filter((text) => encoder.encode(text).length === event.size)
  const values = Object.values(event.columns)
  return texts.find((text) => values.every((value) => holds(text, value))) ?? texts[0]
}

function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1))
}
