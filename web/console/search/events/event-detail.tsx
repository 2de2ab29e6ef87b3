import { useState } from 'preact/hooks'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { Tabs } from '../../../shared/parts/tabs.tsx'
import { clickValue } from '../acts.ts'
import { T } from '../texts.ts'
import { EventContext } from './event-context.tsx'
import { MarkedText } from './marked-text.tsx'
import { OriginalText } from './original-text.tsx'
import { ValueMenu } from './value-menu.tsx'
import './event-detail.css'

export type DetailTab = 'columns' | 'json' | 'original' | 'context'
const TABS: readonly DetailTab[] = ['columns', 'json', 'original', 'context']

export type DetailProps = {
  readonly event: EventAnswer
  readonly words: readonly string[]
  readonly printTime: (iso: string) => string
  readonly first?: DetailTab
}

/** All that an event says. */
export function EventDetail({ event, words, printTime, first = 'columns' }: DetailProps) {
  const [tab, setTab] = useState<DetailTab>(first)
  return (
    <section class="detail" aria-label={T.detail.columns}>
      <Tabs
        label={T.detailTabs}
        tabs={TABS.map((name) => ({ name, text: T.detail[name] }))}
        chosen={tab}
        onChoose={setTab}
      />
      {tab === 'columns' && <Columns event={event} words={words} printTime={printTime} />}
      {tab === 'json' && <pre class="detail-text">{JSON.stringify(shown(event), null, 2)}</pre>}
      {tab === 'original' && <OriginalText event={event} />}
      {tab === 'context' && <EventContext event={event} printTime={printTime} />}
    </section>
  )
}

function Columns({ event, words, printTime }: Omit<DetailProps, 'first'>) {
  const fixed: [string, string][] = [
    ['log', event.log],
    ['folder', event.folder],
    ['host', event.host],
    ['source', event.source],
  ]
  return (
    <div class="detail-columns">
      <p class="detail-message">
        <MarkedText text={event.message} words={words} />
      </p>
      <dl class="detail-list">
        <div>
          <dt>timestamp</dt>
          <dd>
            <span class="detail-time">{printTime(event.timestamp)}</span>
          </dd>
        </div>
        {[...Object.entries(event.columns).filter(isNotMessage(event)), ...fixed]
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <button
                  type="button"
                  class="detail-value"
                  onClick={(click) => clickValue(click, name, value)}
                >
                  <MarkedText text={value} words={words} />
                </button>
                <ValueMenu column={name} value={value} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

function isNotMessage(event: EventAnswer) {
  return ([name, value]: [string, string]) =>
    !(name.toLowerCase() === 'message' && value === event.message) &&
    name.toLowerCase() !== 'timestamp'
}

function shown({ id: _, ...event }: EventAnswer) {
  return event
}
