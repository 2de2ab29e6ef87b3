import { useState } from 'preact/hooks'
import type { WebhookEventKind } from '../../../schemas/portal/webhook-events.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import type { Webhook } from '../api/types.ts'
import { FormError } from '../parts/form-error.tsx'
import { namesOf, WORKSPACE } from '../texts.ts'

const T = WORKSPACE.webhooks

/** A new one, or what is changed of `webhook`. */
export function WebhookDialog({
  webhook,
  onDone,
  onClose,
}: {
  readonly webhook?: Webhook
  /** With the secret of a new one. */
  readonly onDone: (secret: string | undefined) => void
  readonly onClose: () => void
}) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEventKind[]>(webhook?.events ?? [])
  const act = useAct(() => undefined)
  const kinds = namesOf(T.kindTexts)
  return (
    <Dialog title={webhook === undefined ? T.make : T.change} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const body = { url, description, events }
            const told = await ask<{ secret?: string }>(
              webhook === undefined ? '/webhooks' : `/webhooks/${webhook.id}`,
              { method: webhook === undefined ? 'POST' : 'PATCH', body },
            )
            onDone(told.secret)
          })
        }}
      >
        <Field
          label={T.url}
          help={T.urlHelp}
          name="url"
          required
          autofocus
          placeholder="https://hooks.example/logeye"
          value={url}
          onInput={setUrl}
        />
        <Field
          label={T.description}
          name="description"
          value={description}
          onInput={setDescription}
        />
        <fieldset class="checks">
          <legend class="row">
            {T.events}
            <Button look="plain" onClick={() => setEvents(kinds)}>
              {T.every}
            </Button>
          </legend>
          {kinds.map((kind) => (
            <label key={kind} class="check">
              <input
                type="checkbox"
                checked={events.includes(kind)}
                onChange={({ currentTarget: { checked } }) =>
                  setEvents(checked ? [...events, kind] : events.filter((one) => one !== kind))
                }
              />
              <span>
                <code>{kind}</code> <span class="soft">{T.kindTexts[kind]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy || events.length === 0}>
            {webhook === undefined ? T.make : WORKSPACE.act.save}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
