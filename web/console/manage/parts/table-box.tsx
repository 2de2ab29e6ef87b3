import type { ComponentChildren } from 'preact'
import { useMedia } from './use-media.ts'
import './table-box.css'

type TableBoxProps = {
  /** Read aloud. */
  readonly label: string
  /** Where there is little room each row is a card, with its acts below it: `cards` on a phone,
   *  `wide` of many columns sooner. */
  readonly look?: keyof typeof CARDS
  readonly children: ComponentChildren
}

const CARDS = { cards: '(max-width: 700px)', wide: '(max-width: 1100px)' } as const
const NEVER = 'not all'

/** A table that scrolls sideways within itself where there is little room. */
export function TableBox({ label, look, children }: TableBoxProps) {
  const isCards = useMedia(look === undefined ? NEVER : CARDS[look])
  return (
    <section
      class={isCards ? 'table-box table-cards' : 'table-box'}
      aria-label={label}
      tabIndex={0}
    >
      <table class="objects-table">{children}</table>
    </section>
  )
}
