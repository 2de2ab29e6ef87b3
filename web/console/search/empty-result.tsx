import { useEffect, useState } from 'preact/hooks'
import type { ExplainAnswer } from '../../../schemas/search-json/answers.ts'
import { explainSearch } from '../../shared/api/search.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { asSentence } from '../../shared/tell-failure.ts'
import { sayInterval } from '../time/say-times.ts'
import { changeView } from './acts.ts'
import { type Range, type SearchView, windowOf } from './run/view.ts'
import { widerThan } from './run/wider-than.ts'
import { T } from './texts.ts'

const WIDER = ['last24Hours', 'last7Days', 'allData'] as const
/** A log without events explains less than a query that nothing passes. */
const LESS_TELLING = 'silent_log'

/** Nothing was found: why, and the ways out as buttons. */
export function EmptyResult({ view }: { readonly view: SearchView }) {
  const [told, setTold] = useState<ExplainAnswer>()
  useEffect(() => {
    const ending = new AbortController()
    setTold(undefined)
    explainSearch({ ...windowOf(view), query: view.query || '*' }, ending.signal).then(
      setTold,
      () => undefined,
    )
    return () => ending.abort()
  }, [view.query, view.range, view.zone])
  const { range } = view
  const wider = widerThan(range, WIDER)
  return (
    <Empty title={T.empty}>
      <ul class="empty-reasons">
        {inOrder(told?.reasons ?? []).map(({ code, message, name, nearest }) => (
          <li key={`${code} ${message}`}>
            {asSentence(message)}
            {name !== null && nearest !== null && !told?.advice?.query.includes(nearest) && (
              <Button onClick={() => changeView({ query: view.query.replaceAll(name, nearest) })}>
                {T.useName(nearest)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {told?.advice && <Advice advice={told.advice} view={view} />}
      {wider.length > 0 && (
        <div class="row wrap">
          {wider.map((interval) => (
            <Button
              key={interval}
              onClick={() => changeView({ range: { kind: 'interval', interval } })}
            >
              {T.widen(sayInterval(interval))}
            </Button>
          ))}
        </div>
      )}
    </Empty>
  )
}

function inOrder(reasons: ExplainAnswer['reasons']): ExplainAnswer['reasons'] {
  const rank = ({ code }: (typeof reasons)[number]) => (code === LESS_TELLING ? 1 : 0)
  return [...reasons].sort((a, b) => rank(a) - rank(b))
}

type AdviceProps = {
  readonly advice: NonNullable<ExplainAnswer['advice']>
  readonly view: SearchView
}

/** It was tried, and finds something. */
function Advice({ advice: { query, start, end }, view }: AdviceProps) {
  const range: Range = start === null ? view.range : { kind: 'times', start, end: end ?? undefined }
  return (
    <Button look="main" onClick={() => changeView({ query, range })}>
      {T.adviceTry}: <code>{query}</code>
    </Button>
  )
}
