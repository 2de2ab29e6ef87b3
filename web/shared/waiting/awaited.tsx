import { TEXTS } from '../texts.ts'
import './awaited.css'

type AwaitedProps = {
  /** So many lines are drawn. */
  readonly lines?: number
  /** As a table stands there: in a box of its own. */
  readonly isTable?: boolean
}

/** In place of what is on its way: pale lines hold its room, and say nothing untrue. */
export function Awaited({ lines = 3, isTable = false }: AwaitedProps) {
  return (
    <div class={`asked-wait ${isTable ? 'asked-wait-table' : ''}`} role="status">
      <span class="aside">{TEXTS.act.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="asked-line" />
      ))}
    </div>
  )
}
