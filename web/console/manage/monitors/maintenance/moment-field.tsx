import { useId } from 'preact/hooks'

type MomentFieldProps = {
  readonly label: string
  readonly name: string
  /** ISO 8601, or ''. */
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
}

/** A moment to the minute, chosen in the zone of the browser. */
export function MomentField({ label, name, value, error, onInput }: MomentFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input input-some"
        type="datetime-local"
        name={name}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-told`}
        value={toLocal(value)}
        onInput={(event) => onInput(toIso(event.currentTarget.value))}
      />
      {error !== undefined && (
        <p id={`${id}-told`} class="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** 2030-03-01T22:00, as the browser wants it. */
function toLocal(iso: string): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return ''
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function toIso(local: string): string {
  const at = Date.parse(local)
  return Number.isNaN(at) ? '' : new Date(at).toISOString().replace('.000Z', 'Z')
}
