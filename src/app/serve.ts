/** `bourse serve`: a node with what its data directory holds; empty at the first start. */
import { type NodeOptions, startNode } from './node/node.ts'
import type { Node } from './node/running-node.ts'

export type ServeOptions = NodeOptions & { readonly print: (text: string) => void }

export async function startServe({ print, ...options }: ServeOptions): Promise<Node> {
  const node = await startNode(options)
  node.open()
  const { dataDirectory } = options.settings
  // Whoever expected an exchange here has named the wrong directory, or lost it.
  if (node.views.market.seq === 0) {
    print(`${dataDirectory} held nothing: this is a new, empty exchange. Its commands: bourse admin --help`)
  }
  print(`Admin door at ${node.adminUrl}, health and metrics at ${node.monitoringUrl}`)
  print(`Bourse is ready at ${node.baseUrl}`)
  return node
}
