/** `bourse serve`: a node with what its data directory holds; empty at the first start. */
import { type NodeOptions, startNode } from './node.ts'
import type { Node } from './running-node.ts'

export type ServeOptions = NodeOptions & { readonly print: (text: string) => void }

export async function startServe({ print, ...options }: ServeOptions): Promise<Node> {
  const node = await startNode(options)
  node.open()
  print(`Bourse is ready at ${node.baseUrl}`)
  return node
}
