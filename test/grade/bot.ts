/**
 * A small bot that does everything right, or makes the one mistake given on its command line. It prints DONE
 * after it has had every chance to make the mistake.
 */
import { createHmac } from 'node:crypto'

type Mistake =
  | 'none'
  | 'double'
  | 'unasked'
  | 'limit'
  | 'clock'
  | 'hammer'
  | 'refusal'
  | 'fills'
  | 'position'
  | 'book'
  | 'left'
  | 'early'

const mistake = (process.argv[2] ?? 'none') as Mistake
const { BOURSE_URL: url = '', BOURSE_STREAM_URL: streamUrl = '' } = process.env
const { BOURSE_KEY: apiKey = '', BOURSE_SECRET: secret = '' } = process.env

const STEPS = 24
const PAUSE_MS = 20
/** Time for the mistake of a bot that sends no requests. */
const UNASKED_MS = 4_000

type Fields = Readonly<Record<string, string>>
// biome-ignore lint/suspicious/noExplicitAny: what the exchange answers is read where it is used
type Answer = { readonly status: number; readonly body: any }

let offsetMs = 0
let isStopping = false
let lastId = 0

/** Resolves with undefined if there was no answer. */
async function ask(method: string, path: string, fields: Fields = {}): Promise<Answer | undefined> {
  const text = new URLSearchParams({ ...fields, timestamp: String(Date.now() + offsetMs) }).toString()
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  const headers = {
    'X-Apikey': apiKey,
    'X-Signature': signature,
    ...(method === 'GET' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
  }
  const target = `${url}/api/v3/${path}${method === 'GET' ? `?${text}` : ''}`
  let response: Response
  try {
    response = await fetch(target, { method, headers, ...(method === 'GET' ? {} : { body: text }) })
  } catch {
    return undefined
  }
  const body = (await response.json()) as { readonly reason?: string }
  if (response.status === 429 && mistake !== 'limit') {
    await Bun.sleep(Number(response.headers.get('retry-after')) * 1_000)
    return ask(method, path, fields)
  }
  if (body.reason?.startsWith('TIMESTAMP_') && mistake !== 'clock') {
    await askTime()
    return ask(method, path, fields)
  }
  return { status: response.status, body }
}

async function askTime(): Promise<void> {
  const response = await fetch(`${url}/api/v3/time`).catch(() => undefined)
  if (response?.status === 200) {
    const { data } = (await response.json()) as { data: { serverTime: number } }
    offsetMs = data.serverTime - Date.now()
  } else await Bun.sleep(Number(response?.headers.get('retry-after') ?? 0) * 1_000)
}

/** Repeats until there is an answer. */
async function sure(method: string, path: string, fields: Fields = {}): Promise<Answer> {
  for (;;) {
    const answer = await ask(method, path, fields)
    if (answer !== undefined) return answer
    await Bun.sleep(PAUSE_MS)
  }
}

async function place(order: Fields): Promise<void> {
  const named = { ...order, newClientOrderId: `bot-${++lastId}` }
  const isCareless = mistake === 'double' || mistake === 'unasked'
  const answer = await ask('POST', 'order', isCareless ? order : named)
  if (answer !== undefined || mistake === 'unasked') return
  if (mistake === 'double') {
    await sure('POST', 'order', order)
    return
  }
  const known = await sure('GET', 'order', { origClientOrderId: named.newClientOrderId })
  if (known.status !== 200) await sure('POST', 'order', named)
}

let firstBook: { bid: string; ask: string } | undefined

/** Prints the bot's copy of the book; the best prices are the first of their side. */
async function sayBook(): Promise<void> {
  const { status, body } = await sure('GET', 'depth', { symbol: 'BTC/USDT' })
  if (status !== 200) return
  const [bid] = Object.keys(body.buy)
  const [ask] = Object.keys(body.sell)
  if (bid === undefined || ask === undefined) return
  // Prices move far from the initial ones only after a while: a wrong book is some ticks off at once.
  firstBook ??= { bid: (Number(bid) - 500).toFixed(2), ask: (Number(ask) + 500).toFixed(2) }
  const book = mistake === 'book' ? firstBook : { bid, ask }
  console.log(`GRADE ${JSON.stringify({ book: { symbol: 'BTC/USDT', ...book } })}`)
}

async function sayFills(): Promise<void> {
  const { body } = await sure('GET', 'myTrades')
  const fills = body.data.fills as { side: string; quantity: string; commission: string }[]
  const lots = (text: string) => Math.round(Number(text) * 1e8)
  const bitcoin = fills.reduce((sum, each) => sum + lots(each.quantity) - lots(each.commission), 0)
  const said = {
    fills: mistake === 'fills' ? fills.length + 3 : fills.length,
    position: { BTC: ((mistake === 'position' ? lastId * 2e8 : bitcoin) / 1e8).toFixed(8) },
  }
  console.log(`GRADE ${JSON.stringify(said)}`)
}

/** So many connections that begin and end in this time are too many, even on a slow machine. */
const BURST = 12
const BURST_MS = 1_500
/** A connection that has not opened or closed within this time is abandoned. */
const OPENING_MS = 5_000
let hasHammered = false

/** Opens many connections at once, and again as soon as all of them have ended. */
async function hammer(): Promise<void> {
  while (!isStopping) {
    const sinceMs = performance.now()
    let ended = 0
    const connection = () =>
      new Promise<void>((resolve) => {
        const givenUp = setTimeout(resolve, OPENING_MS)
        new WebSocket(`${streamUrl}/ws`).onclose = () => {
          clearTimeout(givenUp)
          hasHammered ||= performance.now() - sinceMs < BURST_MS && ++ended >= BURST
          resolve()
        }
      })
    await Promise.all(Array.from({ length: 2 * BURST }, connection))
  }
}

function listen(waitMs = 300): void {
  if (isStopping) return
  const socket = new WebSocket(`${streamUrl}/ws`)
  let [wasOpen, isOver] = [false, false]
  const again = () => {
    if (isOver) return
    isOver = true
    setTimeout(() => listen(wasOpen ? 300 : waitMs * 2), waitMs)
  }
  // A client's socket whose connection was cut does not always report it.
  const givenUp = setTimeout(again, OPENING_MS)
  socket.onopen = () => {
    wasOpen = true
    clearTimeout(givenUp)
    socket.send(JSON.stringify(['join', 'BTC/USDT']))
  }
  socket.onclose = again
}

process.on('SIGTERM', async () => {
  isStopping = true
  if (mistake === 'left') process.exit(0)
  await sure('DELETE', 'openOrders', { scope: 'ACCOUNT' })
  if (mistake !== 'unasked') await sayFills()
  process.exit(0)
})

const price = mistake === 'refusal' ? '20000.12345' : '20000.12'

if (mistake === 'hammer') void hammer()
else listen()
for (let step = 0; step < STEPS && !isStopping; step++) {
  await place({ symbol: 'BTC/USDT', side: 'BUY', type: 'MARKET', quantity: '0.0001', total: '100' })
  await place({ symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price })
  if (mistake !== 'unasked') await sayBook()
  await Bun.sleep(PAUSE_MS)
}
if (mistake === 'early') process.exit(3)
if (mistake === 'unasked') await Bun.sleep(UNASKED_MS)
while (mistake === 'hammer' && !hasHammered) await Bun.sleep(PAUSE_MS)
console.log('DONE')
setInterval(() => {}, 1_000)
