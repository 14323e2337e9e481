/**
 * A process with few descriptors that serves clients on one port and operators on another; it prints the
 * ports, and then its observations on request.
 */
import { ConnectionWatch } from './connection-watch.ts'

/** The runtime closes no connection: only the monitor does. */
const HOST = { hostname: '127.0.0.1', port: 0, idleTimeout: 0 } as const

const text = (body: string) => ({ ...HOST, fetch: () => new Response(body) })
const clients = Bun.serve({
  ...HOST,
  fetch: async (request, server) => {
    const peer = server.requestIP(request)
    const isTold = request.headers.has('x-waits') && peer !== null && watch.goOn(peer)
    return new Response(isTold ? `client: ${await request.text()}` : 'client')
  },
})
const operators = Bun.serve(text('operator'))
const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }
const watch: ConnectionWatch = new ConnectionWatch({
  log: silent,
  clientPort: () => clients.port,
  perAddressMax: 100,
  isByAddress: true,
  trustedProxies: [],
})
process.stdout.write(`${JSON.stringify({ clients: clients.port, operators: operators.port })}\n`)
for await (const _ of Bun.stdin.stream()) process.stdout.write(`${JSON.stringify(watch.use)}\n`)
process.exit(0)
