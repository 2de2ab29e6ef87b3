// Organizations of the demo and people of each role, with passwords that are made here and printed
// once.
import { z } from 'zod'
import type { Clock } from '../../infra/clock.ts'
import type { PersonRole } from '../../schemas/portal/roles.ts'
import { CHANNEL } from './demo-books.ts'
import type { DemoCaller } from './demo-caller.ts'

const made = z.object({ id: z.string() })
const listed = z.object({ data: z.array(made).min(1) })
const signedIn = z.object({ token: z.string() })
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_CHARACTERS = 20

export type SignIn = {
  readonly organization: string
  readonly role: PersonRole
  readonly email: string
  readonly password: string
}

export type DemoOrganizations = {
  /** Ids. */
  readonly vendor: string
  readonly channel: string
  readonly direct: string
  readonly sold: string
  readonly signIns: readonly SignIn[]
}

export async function makeOrganizations(
  call: DemoCaller,
  operator: string,
  clock: Clock,
): Promise<DemoOrganizations> {
  const make = async (body: object): Promise<string> =>
    made.parse(await call({ path: '/organizations', as: operator, body })).id
  const found = await call({ path: '/organizations?kind=vendor', as: operator })
  const vendor = listed.parse(found).data.map(({ id }) => id)[0] ?? ''
  const channel = await make({ name: 'North Resale', kind: 'channel', channel: CHANNEL })
  const direct = await make({ name: 'Harbour Logistics' })
  const sold = await make({
    ...{ name: 'Lakeside Clinics', channel: CHANNEL, region: 'US', currency: 'USD' },
  })
  const signIns: SignIn[] = []
  const add = async (of: string, organization: string, name: string, role: PersonRole) => {
    const email = `${name.split(' ', 1)[0]?.toLowerCase()}@${organization.split(' ', 1)[0]?.toLowerCase()}.example`
    const password = makePassword(clock)
    await call({ path: '/people', as: operator, of, body: { email, name, role, password } })
    signIns.push({ organization, role, email, password })
  }
  await add(vendor, 'Vendor', 'Olivia Operator', 'operator')
  await add(vendor, 'Vendor', 'Sam Sales', 'sales')
  await add(channel, 'North Resale', 'Ned Reseller', 'channel')
  await add(direct, 'Harbour Logistics', 'Ada Admin', 'customer_admin')
  await add(direct, 'Harbour Logistics', 'Vic Viewer', 'customer_viewer')
  await add(sold, 'Lakeside Clinics', 'Ann Admin', 'customer_admin')
  await add(sold, 'Lakeside Clinics', 'Val Viewer', 'customer_viewer')
  return { vendor, channel, direct, sold, signIns }
}

/** Resolves with the token of a session of twelve hours. */
export async function signInAs(
  call: DemoCaller,
  signIns: readonly SignIn[],
  role: PersonRole,
): Promise<string> {
  const found = signIns.find((it) => it.role === role)
  if (found === undefined) throw new Error(`the demo has no ${role}`)
  const { email, password } = found
  return signedIn.parse(await call({ path: '/session', body: { email, password } })).token
}

/** 115 bits. */
function makePassword(clock: Clock): string {
  const bytes = [...clock.randomBytes(PASSWORD_CHARACTERS)]
  return bytes.map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
