import { useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { MANAGE } from '../texts.ts'
import './pattern-trial.css'

const T = MANAGE.template

type PatternTrialProps = {
  /** As it stands in the form; several with @#@# between them. */
  readonly patterns: string
  readonly onSuggest: (patterns: string) => void
}

/** Shows what patterns make of sample lines, and where a line stops fitting. Nothing is stored. */
export function PatternTrial({ patterns, onSuggest }: PatternTrialProps) {
  const [lines, setLines] = useState('')
  const [found, setFound] = useState<SdkAnswer<'verifyPattern'>>()
  const [told, setTold] = useState<string>()
  const act = useAct(() => undefined)
  const verify = async () => {
    const answer = await runCommand('verifyPattern', { pattern: patterns, files: lines })
    setFound(answer)
    setTold(T.fits(answer.fitting, answer.events))
  }
  const suggest = async () => {
    const { pattern, fitting, events } = await runCommand('suggestPattern', { files: lines })
    onSuggest(pattern)
    setFound(undefined)
    setTold(T.fits(fitting, events))
  }
  const hasLines = lines.trim() !== ''
  return (
    <section class="trial">
      <h2>{T.tryIt}</h2>
      <label class="field">
        <span class="soft">{T.lines}</span>
        <textarea
          class="input object-text"
          rows={5}
          spellcheck={false}
          value={lines}
          onInput={(event) => setLines(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <Button
          disabled={act.isBusy || !hasLines || patterns.trim() === ''}
          onClick={() => act.run(verify)}
        >
          {T.check}
        </Button>
        <Button disabled={act.isBusy || !hasLines} onClick={() => act.run(suggest)}>
          {T.suggest}
        </Button>
        <span role="status">{act.error ?? told}</span>
      </div>
      {found !== undefined && (
        <ol class="trial-lines">
          {found.results.map(({ line, columns, stop }) => (
            <li key={line}>
              <span class="soft tabular">
                {T.line} {line}
              </span>
              {columns.map((column, at) => (
                <span key={at} class={`trial-column trial-column-${(at % 8) + 1}`}>
                  <b>{column.name}</b> {column.text}
                </span>
              ))}
              {stop !== undefined && (
                <span class="field-error">{T.stops(stop.found, stop.expected)}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
