import { useState } from 'preact/hooks'
import { Button } from '../../../shared/parts/button.tsx'
import { Tabs } from '../../../shared/parts/tabs.tsx'
import { copyText } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { MANAGE } from '../texts.ts'
import { recipesFor } from './recipes.ts'

/** Ready configuration, with the token in it. */
export function ListenerRecipes({ token }: { readonly token: string }) {
  const recipes = recipesFor(token, location.origin)
  const [chosen, setChosen] = useState(recipes[0]?.name ?? '')
  const text = recipes.find(({ name }) => name === chosen)?.text ?? ''
  return (
    <div class="recipes">
      <Tabs
        label={MANAGE.recipes}
        tabs={recipes.map(({ name }) => ({ name, text: name }))}
        chosen={chosen}
        onChoose={setChosen}
      />
      <pre class="recipes-text">{text}</pre>
      <Button onClick={() => void copyText(text, TEXTS.act.copied)}>{MANAGE.own.copy}</Button>
    </div>
  )
}
