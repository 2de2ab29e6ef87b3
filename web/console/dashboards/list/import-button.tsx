import { useRef } from 'preact/hooks'
import { importApp } from '../../../shared/api/apps.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { T } from '../texts.ts'
import type { Work } from '../use-work.ts'

/** Takes an app in, as `Export as a file` wrote it. */
export function ImportButton({ work }: { readonly work: Work }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        class="aside"
        type="file"
        accept=".json,application/json"
        aria-label={T.importFile}
        tabIndex={-1}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (chosen === undefined) return
          work.run(async () => {
            const file = parse(await chosen.text())
            const { name } = await importApp({ file })
            toast(T.imported(name))
          })
        }}
      />
      <Button onClick={() => input.current?.click()}>{T.importFile}</Button>
    </>
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(T.noJson)
  }
}
