/**
 * `bourse serve`: a node on the contents of its data directory; a new, empty exchange is only created on
 * request.
 */
import { requireExchange, requireNoExchange } from './node/exchange-directory.ts'
import { type NodeOptions, startNode } from './node/node.ts'
import type { Node } from './node/running-node.ts'

export type ServeOptions = NodeOptions & { readonly print: (text: string) => void }

export async function startServe({ print, ...options }: ServeOptions): Promise<Node> {
  const { dataDirectory, isInit } = options.settings
  if (isInit) requireNoExchange(dataDirectory)
  else requireExchange(dataDirectory)
  const node = await startNode(options)
  await node.open()
  // An empty exchange may have rules already, but nothing is listed.
  if (node.views.market.registry.assets().length === 0) {
    print(`${dataDirectory} contains a new, empty exchange. Its commands: bourse admin --help`)
  }
  print(`Admin server at ${node.adminUrl}, health and metrics at ${node.monitoringUrl}`)
  if (node.gateways > 1) print(`${node.gateways} gateways serve clients`)
  print(`Bourse is ready at ${node.baseUrl}`)
  return node
}
