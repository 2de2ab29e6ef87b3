// The tree that folders-and-logs-configuration answers, as paths: `Web/`, `Web/access`.
import { z } from 'zod'

type Node = { name: string; type: 'Module' | 'Log'; children: Node[] }
const node: z.ZodType<Node> = z.object({
  name: z.string(),
  type: z.enum(['Module', 'Log']),
  get children() {
    return z.array(node)
  },
})

/** Without the root, in the order of the answer. */
export function readTreePaths(tree: unknown): string[] {
  const pathsIn = ({ children }: Node, before: string): string[] =>
    children.flatMap((child) => {
      const path = `${before}${child.name}`
      return child.type === 'Log' ? [path] : [`${path}/`, ...pathsIn(child, `${path}/`)]
    })
  return pathsIn(node.parse(tree), '')
}
