/**
 * The ceiling: the least that any signed HTTP interface on this runtime has to do. It reads the body, checks its
 * HMAC and answers as many bytes as an order's answer has; it stores nothing.
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
/** Instead of the headers that Bourse sends and this does not. */
const answer = body.padEnd(body.length + 183)

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = await request.text()
    const hasher = new Bun.CryptoHasher('sha256', secret)
    hasher.update(body)
    if (hasher.digest('hex') !== request.headers.get('x-signature')) return new Response('', { status: 401 })
    return new Response(answer, { headers: { 'Content-Type': 'application/json;charset=utf-8' } })
  },
})
console.log(`ready at http://127.0.0.1:${server.port}`)
