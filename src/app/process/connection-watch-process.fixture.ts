/** A process with few descriptors that serves clients on one port and operators on another; it says where, and then what it has seen whenever it is asked. */
import { ConnectionWatch } from './connection-watch.ts'

const text = (body: string) => ({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(body) })
const clients = Bun.serve({
  ...{ hostname: '127.0.0.1', port: 0 },
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
