import { Component } from 'preact'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { clickValue } from '../acts.ts'
import { T } from '../texts.ts'
import { LETTERS, levelOfEvent } from './level.ts'
import { MarkedText } from './marked-text.tsx'
import { shownValue } from './shown-value.ts'

export type RowProps = {
  readonly event: EventAnswer
  /** Equal lines that it stands for. */
  readonly count: number
  readonly columns: readonly string[]
  readonly words: readonly string[]
  readonly printTime: (iso: string) => string
  readonly isOpen: boolean
  readonly isChosen: boolean
  /** The same over all draws. */
  readonly onToggle: (event: EventAnswer) => void
}

/**
 * One line: time, level, log, host, chosen columns, message. Of a list that scrolls only the lines
 * that come into view are drawn: the others show what they showed.
 */
export class EventRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { event, count, columns, words, printTime, isOpen, isChosen, onToggle } = this.props
    return (
      next.event !== event ||
      next.count !== count ||
      next.columns !== columns ||
      next.words !== words ||
      next.printTime !== printTime ||
      next.isOpen !== isOpen ||
      next.isChosen !== isChosen ||
      next.onToggle !== onToggle
    )
  }

  override render({ event, count, columns, words, printTime, ...more }: RowProps) {
    const { isOpen, isChosen, onToggle } = more
    const level = levelOfEvent(event)
    const name = ['event', level === undefined ? '' : `event-${level}`, isOpen ? 'event-open' : '']
    if (isChosen) name.push('event-chosen')
    return (
      <div class={name.join(' ')} role="row" onClick={() => onToggle(event)}>
        <span role="cell" class="event-time">
          <button type="button" class="event-toggle" aria-expanded={isOpen} tabIndex={-1}>
            {printTime(event.timestamp)}
          </button>
        </span>
        <span role="cell" class="event-level">
          {level === undefined ? '' : LETTERS[level]}
        </span>
        <Cell column="log" value={event.log} />
        <Cell column="host" value={event.host} />
        {columns.map((column) => (
          <Cell key={column} column={column} value={shownValue(event, column)} />
        ))}
        <span role="cell" class="event-message">
          {count > 1 && (
            <span class="event-count" title={T.fold.times(count)}>
              ×{count}
            </span>
          )}
          <MarkedText text={event.message} words={words} />
        </span>
      </div>
    )
  }
}

function Cell({ column, value }: { readonly column: string; readonly value: string }) {
  return (
    <span role="cell" class="event-cell" title={value}>
      {value !== '' && (
        <button
          type="button"
          class="event-value"
          tabIndex={-1}
          onClick={(event) => clickValue(event, column, value)}
        >
          {value}
        </button>
      )}
    </span>
  )
}
