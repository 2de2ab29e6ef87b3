// The XML file of a log sync task (product facts 12). Every element and attribute is known or
// refused; so are document types and entities of one's own, which can make a small file large.

import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { trimEnd } from '../../../schemas/names/trim-end.ts'
import { BUCKET_REPOSITORY, type SyncNode, type SyncPlan } from '../../../schemas/task.ts'
import { type ElementRule, ROOT_ELEMENT, SYNC_ELEMENTS } from './sync-elements.ts'

export type SyncConfiguration =
  /** Names of accounts of the address book, in their order. */
  { readonly accounts: readonly string[]; readonly plan: SyncPlan } | { readonly fault: string }

type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
}

class Refused extends Error {}

const CONTROL_CHARACTERS = /\p{Cc}/gu

const parser = new XMLParser({
  ...{ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' },
  ...{ processEntities: false, parseTagValue: false, parseAttributeValue: false },
  ...{ trimValues: false, ignoreDeclaration: true, allowBooleanAttributes: false },
})

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const DEFAULT_RETRY = 3

const ATTRIBUTES = ':@'
const TEXT = '#text'
const attributesSchema = z.record(z.string(), z.string())
const nodeSchema = z.record(z.string(), z.unknown())
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" },
  }),
)

/** `text` is of a bounded size. */
export function readSyncConfiguration(text: string): SyncConfiguration {
  try {
    const roots = readElements(parseXml(text), '')
    const [root] = roots
    if (root === undefined || roots.length > 1 || root.name !== ROOT_ELEMENT)
      throw new Refused(`must have one element ${ROOT_ELEMENT} at its top`)
    checkElement(root)
    checkNodes(root)
    const plan = planOf(root)
    const { repository } = plan
    const own = 'account' in repository ? [repository.account] : []
    return { accounts: [...accountsIn(root), ...own], plan }
  } catch (error) {
    if (error instanceof Refused) return { fault: error.message }
    throw error
  }
}

function parseXml(text: string): unknown {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw new Refused('must hold no DOCTYPE and no entities')
  if (text.includes('<![CDATA[')) throw new Refused('must hold no CDATA')
  const withoutHead = text.replace(/^\uFEFF?\s*<\?xml\s[^>]*\?>/, '')
  if (withoutHead.includes('<?')) throw new Refused('must hold no processing instruction')
  try {
    const checked = XMLValidator.validate(withoutHead)
    if (checked !== true)
      throw new Refused(
        `is not well-formed XML: ${checked.err.msg.replaceAll(CONTROL_CHARACTERS, '\u{FFFD}')} (line ${checked.err.line})`,
      )
    return parser.parse(withoutHead)
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('is not well-formed XML')
  }
}

/** Each is `{ <name>: [...children], ':@': attributes }`. */
function readElements(nodes: unknown, inside: string): Element[] {
  const elements: Element[] = []
  for (const node of z.array(nodeSchema).parse(nodes)) {
    const { [ATTRIBUTES]: attributes = {}, ...rest } = node
    const [name = '', children] = Object.entries(rest)[0] ?? []
    if (name === TEXT) {
      if (String(children).trim() !== '') throw new Refused(`${inside}: must hold no text`)
      continue
    }
    // Before what lies in it: an unknown one may be nested without end.
    if (!Object.hasOwn(SYNC_ELEMENTS, name))
      throw new Refused(`${show(name)} is not an element of this file`)
    if (name === inside) throw new Refused(`${name} must not lie in itself`)
    elements.push({
      name,
      attributes: readAttributes(name, attributesSchema.parse(attributes)),
      children: readElements(children, name),
    })
  }
  return elements
}

function readAttributes(element: string, given: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value.replace(/&[^;]{0,20};?/g, (entity) => {
        const plain = ENTITIES.get(entity)
        if (plain !== undefined) return plain
        throw new Refused(
          `${element} ${show(name)}: ${show(entity)} is not an entity that is known`,
        )
      }),
    ]),
  )
}

function checkElement({ name, attributes, children }: Element): void {
  const rule: ElementRule = SYNC_ELEMENTS[name] ?? {}
  const checks = { ...rule.required, ...rule.optional }
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!Object.hasOwn(checks, attribute))
      throw new Refused(`${name}: ${show(attribute)} is not an attribute of it`)
    const reason = checks[attribute]?.(value)
    if (reason !== undefined) throw new Refused(`${name} ${attribute}: ${reason}`)
  }
  for (const attribute of Object.keys(rule.required ?? {}))
    if (!Object.hasOwn(attributes, attribute))
      throw new Refused(`${name}: the attribute ${attribute} is missing`)
  for (const child of children)
    if (!Object.hasOwn(rule.children ?? {}, child.name))
      throw new Refused(`${child.name} does not lie in ${name}`)
  for (const [child, [least, most]] of Object.entries(rule.children ?? {})) {
    const count = children.filter((one) => one.name === child).length
    if (count < least) throw new Refused(`${name}: the element ${child} is missing`)
    if (count > most)
      throw new Refused(`${name}: has ${count} elements ${child}, at most ${most} may be`)
  }
  for (const child of children) checkElement(child)
}

/** Two machines would write into one place. */
function checkNodes(root: Element): void {
  const seen = new Set<string>()
  for (const { name, attributes } of root.children) {
    if (name !== 'SyncLogsNode') continue
    const place = trimEnd((attributes.repositoryDirectory ?? '').trim(), '/\\')
    if (seen.has(place))
      throw new Refused(`SyncLogsNode: the repositoryDirectory ${show(place)} is there twice`)
    seen.add(place)
  }
}

/** Of elements that were checked. */
function planOf({ children }: Element): SyncPlan {
  const of = (element: Pick<Element, 'children'>, name: string) =>
    element.children.filter((child) => child.name === name)
  const checksumOf = (element: Pick<Element, 'children'>): SyncNode['checksum'] | undefined => {
    const [found] = of(element, 'SyncLogsChecksum')
    if (found === undefined) return undefined
    const { algorithm, interval = '', enabled, retry = '' } = found.attributes
    if (enabled === 'false') return null
    const unitMs = UNITS_MS[interval.slice(-1)] ?? 0
    return {
      algorithm: algorithm === 'MD5' ? 'MD5' : 'SHA-1',
      intervalMs: Number.parseInt(interval, 10) * unitMs,
      retry: retry === '' ? DEFAULT_RETRY : Number(retry),
    }
  }
  const { repositoryDirectory = '', timeToKeep = '' } =
    of({ children }, 'SyncLogsRepository')[0]?.attributes ?? {}
  const bucket = BUCKET_REPOSITORY.exec(repositoryDirectory.trim())
  return {
    repository:
      bucket === null
        ? { folder: repositoryDirectory.trim() }
        : { account: bucket[1] ?? '', prefix: trimEnd(bucket[2] ?? '', '/') },
    timeToKeep: timeToKeep === '' ? null : Number(timeToKeep),
    nodes: of({ children }, 'SyncLogsNode').map((node) => ({
      directory: (node.attributes.repositoryDirectory ?? '').trim(),
      account: accountsIn(node)[0] ?? '',
      checksum: checksumOf(node) ?? checksumOf({ children }) ?? null,
      directories: of(node, 'SyncLogsDirectory').map(({ attributes }) => ({
        directory: (attributes.syncDirectory ?? '').trim(),
        directoriesToInclude: namesIn(attributes.directoriesToInclude),
        directoriesToExclude: namesIn(attributes.directoriesToExclude),
        filesToInclude: namesIn(attributes.filesToInclude),
        filesToExclude: namesIn(attributes.filesToExclude),
        scanLevel: attributes.subdirsScanLevel ? Number(attributes.subdirsScanLevel) : null,
      })),
    })),
  }
}

function namesIn(text = ''): string[] {
  return text
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function accountsIn({ name, attributes, children }: Element): string[] {
  return name === 'Account'
    ? [(attributes.name ?? '').trim()]
    : children.flatMap((child) => accountsIn(child))
}

/** Of what was given, a short piece. */
function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
