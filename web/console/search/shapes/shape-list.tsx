import { useState } from 'preact/hooks'
import type { ShapesAnswer } from '../../../../schemas/search-json/answers.ts'
import { searchShapes } from '../../../shared/api/search.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount, printPercent, timePrinter } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { addTest } from '../../../shared/query/edit-query.ts'
import { Progress } from '../../../shared/waiting/progress.tsx'
import { changeView } from '../acts.ts'
import { EmptyResult } from '../empty-result.tsx'
import { turn } from '../run/search-run.ts'
import { filterOf, printAsked, type SearchView, windowOf } from '../run/view.ts'
import { T } from '../texts.ts'
import './shapes.css'

const MOST = 100

export type ShapeListProps = {
  readonly view: SearchView
  readonly zone: string | undefined
}

/** What kinds of messages there are, over all events that were found. */
export function ShapeList({ view, zone }: ShapeListProps) {
  const asked = useAsked(`${turn.value} ${printAsked(view)}`, (signal) => {
    const query = filterOf(view)
    return searchShapes({ ...windowOf(view), query, limit: MOST }, signal)
  })
  return (
    <section class="shapes" aria-label={T.shapes.list} tabIndex={0}>
      <Progress isBusy={asked.isBusy} label={T.running} />
      <AskedPart asked={asked}>
        {(answer) =>
          answer.total === 0 ? (
            <EmptyResult view={view} />
          ) : (
            <Found answer={answer} view={view} zone={zone} />
          )
        }
      </AskedPart>
    </section>
  )
}

function Found({ answer, view, zone }: ShapeListProps & { readonly answer: ShapesAnswer }) {
  const [isNewOnly, setNewOnly] = useState(false)
  const printer = timePrinter(zone)
  const { shapes, before, distinct, isExact, others, read, total } = answer
  const fresh = shapes.filter(({ isNew }) => isNew === true)
  const shown = isNewOnly ? fresh : shapes
  const most = Math.max(...shapes.map(({ count }) => count))
  const kinds = T.shapes.shapes(printCount(distinct))
  const since = before === null ? '' : printer.minute(before.end)
  return (
    <>
      <p class="shapes-told">
        <strong>
          {T.shapes.told(T.found(printCount(read)), isExact ? kinds : T.shapes.atLeast(kinds))}
        </strong>
        {before !== null && (
          <span class="soft">
            {fresh.length === 0
              ? T.shapes.none(since)
              : T.shapes.fresh(printCount(fresh.length), since)}
          </span>
        )}
        {read < total && <span>{T.shapes.bounded(printCount(read))}</span>}
        {fresh.length > 0 && (
          <Button look="plain" isOn={isNewOnly} onClick={() => setNewOnly(!isNewOnly)}>
            {T.shapes.newOnly}
          </Button>
        )}
      </p>
      <ul>
        {shown.map((one) => (
          <Shape
            key={`${one.shape} ${one.first}`}
            {...{ shape: one, view, most }}
            printTime={printer.minute}
          />
        ))}
      </ul>
      {others > 0 && <p class="shapes-told soft">{T.shapes.others(printCount(others))}</p>}
    </>
  )
}

type ShapeProps = {
  readonly shape: ShapesAnswer['shapes'][number]
  readonly view: SearchView
  readonly most: number
  readonly printTime: (iso: string) => string
}

function Shape({ shape: one, view, most, printTime }: ShapeProps) {
  const { shape, query, count, share, isNew, before, first, last } = one
  const filter = (isNot: boolean) => {
    if (query === null) return
    const next = addTest(view.query, query, { isNot })
    changeView(isNot ? { query: next } : { query: next, tab: undefined })
  }
  return (
    <li class="shape">
      <span class="shape-count">{printCount(count)}</span>
      <span class="shape-share" title={printPercent(share)}>
        <span class="shape-bar" style={{ width: `${Math.max(2, (100 * count) / most)}%` }} />
        <span class="shape-percent">{printPercent(share)}</span>
      </span>
      <button
        type="button"
        class="shape-text"
        disabled={query === null}
        title={query === null ? T.shapes.tooLong : `${T.shapes.narrow}\n\n${one.example}`}
        onClick={(event) => filter(event.altKey)}
      >
        {isNew === true && <span class="shape-new">{T.shapes.isNew}</span>}
        {pieces(shape).map(({ text, isMark }, at) =>
          isMark ? (
            <span key={`${at}`} class="shape-mark">
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </button>
      <span class="shape-times">
        {before !== null && before > 0 && `${T.shapes.before(printCount(before))} · `}
        {printTime(first) === printTime(last)
          ? printTime(first)
          : T.shapes.times(printTime(first), printTime(last))}
      </span>
      <Button
        look="plain"
        disabled={query === null}
        aria-label={T.shapes.excludeOf(shape)}
        onClick={() => filter(true)}
      >
        {T.shapes.exclude}
      </Button>
    </li>
  )
}

const MARK = /(<(?:text|time|id|mail|path|hex|number)>)/

function pieces(shape: string): readonly { readonly text: string; readonly isMark: boolean }[] {
  return shape
    .split(MARK)
    .map((text, at) => ({ text, isMark: at % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
