// What a product took in days ago: a day of a policy that archives its days and lets them go, and
// one of a policy that keeps them. By listeners of their own.
import { z } from 'zod'
import type { Past } from './console.ts'
import { makeAdmin } from './fill-console.ts'

export const PAST_DAYS = 3
/** Of each of the two. */
export const PAST_EVENTS = 6
const listener = z.object({ response: z.object({ token: z.string() }) })

/** `archive`: a folder that is there. After the next start, retention writes the day of `Passing`
 *  into it and takes it out of the store. */
export async function fillPast({ product, send }: Past, archive: string): Promise<void> {
  const admin = makeAdmin(product)
  const sdk = (command: string, given: object) => admin(`/logeye/sdk/${command}`, given)
  const policy = { archiveDirectory: archive }
  await sdk('addCollectionPolicy', { name: 'Passing', ...policy, storageDays: '1' })
  await sdk('addCollectionPolicy', { name: 'Keep', ...policy })
  for (const name of ['Passing', 'Keep']) {
    const made = await sdk('addListener', { name, collectionPolicy: name })
    const { token } = listener.parse(made).response
    const productName = name.toLowerCase()
    const texts = Array.from({ length: PAST_EVENTS }, (_, at) => `${productName} ${at}`)
    await send(
      texts.map((message) => ({ message, productName })),
      token,
    )
  }
}
