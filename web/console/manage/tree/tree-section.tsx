import { useState } from 'preact/hooks'
import { address, BASE, changeParameters } from '../../../shared/address.ts'
import { searchTable } from '../../../shared/api/search.ts'
import { session } from '../../../shared/api/session.ts'
import { readTree } from '../../../shared/api/tree.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { ObjectsOfType } from '../objects/objects-section.tsx'
import { Section } from '../parts/section.tsx'
import { sectionPath } from '../section-path.ts'
import { mayDo, mayOpenSection } from '../section-rights.ts'
import { MANAGE } from '../texts.ts'
import { type CountedNode, countNodes, findNodes } from './count-nodes.ts'
import './tree.css'

const T = MANAGE.tree
const INTERVAL = 'last24Hours'

/** Folders and logs with their events; settings of one are a page of its own. */
export function TreeSection() {
  const { parameters, path } = address.value
  const type = parameters.get('type')
  if (type === 'folder' || type === 'log')
    return <ObjectsOfType key={type} type={type} types={['folder', 'log']} path={path} />
  return <Tree path={path} find={parameters.get('find') ?? ''} />
}

function Tree({ path, find }: { readonly path: string; readonly find: string }) {
  const tree = useAsked('tree', readTree)
  const counts = useAsked('counts', readCounts)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  return (
    <Section
      title={MANAGE.pages.tree}
      intro={T.intro}
      acts={
        <>
          <input
            class="input objects-find"
            type="search"
            placeholder={T.find}
            aria-label={T.find}
            value={find}
            onInput={(event) =>
              changeParameters({ find: event.currentTarget.value }, { isNew: false })
            }
          />
          {mayDo('data.logs', session.value) && (
            <>
              <a class="button button-bordered" href={`${path}?type=folder&new=1`}>
                {T.newFolder}
              </a>
              <a class="button button-main" href={`${path}?type=log&new=1`}>
                {T.newLog}
              </a>
            </>
          )}
        </>
      }
    >
      <AskedPart asked={tree}>
        {(root) => {
          const all = countNodes(root, counts.answer)
          const shown = find.trim() === '' ? all : findNodes(all, find)
          return (
            <ul class="tree" aria-label={MANAGE.pages.tree}>
              {shown.map((node) => (
                <Node
                  key={node.id}
                  node={node}
                  level={0}
                  path={path}
                  closed={closed}
                  onToggle={toggle}
                />
              ))}
            </ul>
          )
        }}
      </AskedPart>
    </Section>
  )
}

/** Events by path of a log. One of the root has no folder by which it could be grouped. */
async function readCounts(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const ask = async (query: string) =>
    (await searchTable({ query, interval: INTERVAL, limit: 10_000 }, signal)).rows
  const [below, inRoot] = await Promise.all([
    ask('* | count group by folder, log'),
    ask('folder not exists | count group by log'),
  ])
  return new Map([
    ...below.map(([folder, log, count]) => [`${folder}->${log}`, Number(count)] as const),
    ...inRoot.map(([log, count]) => [log ?? '', Number(count)] as const),
  ])
}

type NodeProps = {
  readonly node: CountedNode
  readonly level: number
  readonly path: string
  readonly closed: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}

function Node({ node, level, path, closed, onToggle }: NodeProps) {
  const isOpen = !closed.has(node.id)
  const isFolder = node.type === 'folder'
  const scope = `${isFolder ? 'folder' : 'log'}.${quoted(node.path)}`
  const search = new URLSearchParams({ query: `* in ${scope}`, interval: INTERVAL })
  const isOurs = node.path === 'System' || node.path.startsWith('System->')
  return (
    <li>
      <div class={`tree-row tree-level-${Math.min(level, 8)}`}>
        {isFolder ? (
          <button
            type="button"
            class="tree-mark"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? T.close : T.open} ${node.name}`}
            onClick={() => onToggle(node.id)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        ) : (
          <span class="tree-mark" />
        )}
        <a class={isFolder ? 'tree-folder' : 'tree-log'} href={`${BASE}/?${search}`}>
          {node.name}
        </a>
        <span class="tree-about soft">{node.description}</span>
        <span class="grow" />
        {!isOurs && (
          <span class="tree-acts">
            {mayDo('data.logs', session.value) && (
              <a href={withParameters(path, { type: node.type, item: node.path })}>{T.edit}</a>
            )}
            {mayOpenSection('rights', session.value) && (
              <a
                href={withParameters(sectionPath('rights'), { node: `${node.type}.${node.path}` })}
              >
                {T.rights}
              </a>
            )}
          </span>
        )}
        <span class="tree-count tabular">
          {isOurs ? '' : (node.events?.toLocaleString('en') ?? '')}
        </span>
      </div>
      {isFolder && isOpen && node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Node
              key={child.id}
              node={child}
              level={level + 1}
              path={path}
              closed={closed}
              onToggle={onToggle}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

function quoted(path: string): string {
  return /^[\w.>-]+$/.test(path) ? path : JSON.stringify(path)
}
