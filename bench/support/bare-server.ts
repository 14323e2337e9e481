/**
 * Ceilings for a signed HTTP interface on this runtime; neither stores anything. `bare` does the minimum: it
 * reads the body, checks its HMAC and answers with as many bytes as an order's answer has. `contract` also
 * makes the runtime do what the interface, its limits and its firewall require for every request: the raw
 * bytes of the body, every header, address and URL, and an answer with all its headers.
 */
const secret = 'bench-secret'
const body = JSON.stringify({
  status: true,
  code: '0000',
  msg: ['The order has been placed.'],
  data: {
    id: '01a1fcbc-6667-7100-8000-000000000001',
    symbol: 'BTC/USDT',
    side: 'BUY',
    price: 50000,
    qty: 0.01,
    total: 500,
    created_at: '2026-11-21T06:12:47.847+00:00',
    side_name: 'Buy',
  },
})
const CONTENT_TYPE = { 'Content-Type': 'application/json;charset=utf-8' }
/** Padding in place of the headers that Bourse sends and `bare` does not. */
const paddedBody = body.padEnd(body.length + 183)
/** The headers of the answer to a new order. */
const contractHeaders = new Headers({
  ...CONTENT_TYPE,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
})
const COUNTERS = ['X-MBX-USED-WEIGHT-1M', 'X-Request-Id', 'X-MBX-ORDER-COUNT-10S', 'X-MBX-ORDER-COUNT-1D']
const isContract = process.argv.includes('--contract')
let requests = 0

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: isContract ? answerContract : answerBare,
})
console.log(`ready at http://127.0.0.1:${server.port}`)

async function answerBare(request: Request): Promise<Response> {
  return isSigned(await request.text(), request.headers.get('x-signature'))
    ? new Response(paddedBody, { headers: CONTENT_TYPE })
    : new Response('', { status: 401 })
}

async function answerContract(request: Request, server: Bun.Server<unknown>): Promise<Response> {
  let signature: string | null = null
  let headerBytes = 0
  request.headers.forEach((value, name) => {
    headerBytes += name.length + value.length
    if (name === 'x-signature') signature = value
  })
  const isKnown = server.requestIP(request) !== null && request.url.endsWith('/order') && headerBytes > 0
  if (!isKnown || !isSigned(await request.bytes(), signature)) return new Response('', { status: 401 })
  requests++
  for (const name of COUNTERS) contractHeaders.set(name, String(requests))
  return new Response(body, { headers: contractHeaders })
}

function isSigned(body: string | Uint8Array, signature: string | null): boolean {
  return new Bun.CryptoHasher('sha256', secret).update(body).digest('hex') === signature
}
