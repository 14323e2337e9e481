/**
 * A strategy as a user writes it, on ccxt in Node: it places, changes and cancels orders over HTTP and over
 * the stream, follows its orders and trades, and continues after every loss. It prints what it did,
 * according to the answers and messages that it received.
 *
 *     node strategy.mjs <base URL> <API key> <secret> <orders>
 */
import ccxt from 'ccxt'
import { registerBourse } from '../../../clients/ccxt/index.js'

const [rest, apiKey, secret, count] = process.argv.slice(2)
const SYMBOL = 'BTC/USDT'
const AMOUNT = 0.001

registerBourse(ccxt)
const exchange = new ccxt.bourse({
  apiKey,
  secret,
  urls: { api: { rest } },
  timeout: 1500,
  enableRateLimit: false,
  options: { recvWindow: 60_000, ws: { backoff: { base: 0 } } },
})

const errors = {}
const note = (error) => {
  errors[error.name] = (errors[error.name] ?? 0) + 1
}

/** Repeats a request that may be sent twice until there is an answer. */
async function persist(action) {
  for (;;) {
    try {
      return await action()
    } catch (error) {
      note(error)
      if (!(error instanceof ccxt.NetworkError)) throw error
      await exchange.sleep(5)
    }
  }
}

/**
 * Cancels until there is an answer: an order that is no longer open may have been canceled by the previous
 * attempt.
 */
async function cancel(overStream, id) {
  try {
    await persist(() => (overStream ? exchange.cancelOrderWs(id, SYMBOL) : exchange.cancelOrder(id, SYMBOL)))
  } catch (error) {
    if (!(error instanceof ccxt.OrderNotFound)) throw error
  }
}

const fills = []
const orderById = new Map()
/** Traded lots, by order. */
const tradedById = new Map()
const lots = (amount) => Math.round(amount * 1e8)
let isDone = false

async function watch(next, take) {
  while (!isDone) {
    try {
      for (const item of await next()) take(item)
    } catch (error) {
      if (isDone) return
      note(error)
      if (!(error instanceof ccxt.NetworkError)) throw error
      await exchange.sleep(5)
    }
  }
}

await persist(() => exchange.loadMarkets(true))
const watching = [
  watch(
    () => exchange.watchMyTrades(SYMBOL),
    (trade) => {
      fills.push(trade.id)
      tradedById.set(trade.order, (tradedById.get(trade.order) ?? 0) + lots(trade.amount))
    },
  ),
  watch(
    () => exchange.watchOrders(SYMBOL),
    (order) => orderById.set(order.id, order),
  ),
]

// Once both lists exist, the subscriptions are active: later events are not missed.
while (exchange.orders === undefined || exchange.myTrades === undefined) await exchange.sleep(5)

const placed = []
for (let index = 0; index < Number(count); index += 1) {
  const overStream = index % 2 === 1
  const names = { clientOrderId: `bot-${index}` }
  const order = await persist(() =>
    overStream
      ? exchange.createOrderWs(SYMBOL, 'limit', 'buy', AMOUNT, 50_000, names)
      : exchange.createOrder(SYMBOL, 'limit', 'buy', AMOUNT, 50_000, names),
  )
  placed.push(order.id)
  if (index % 5 === 1) {
    const replacement = { newClientOrderId: `bot-${index}-replaced` }
    const edit = () => exchange.editOrder(order.id, SYMBOL, 'limit', 'buy', AMOUNT, 50_001, replacement)
    placed.push((await persist(edit)).id)
  } else if (index % 5 === 3) await cancel(overStream, order.id)
}

/**
 * Whether an order has ended and all its trades have arrived: the two channels have no common order, and the
 * last order may be filled before its answer arrives.
 */
const isOver = (id) => {
  const { status, filled } = orderById.get(id) ?? {}
  return ['closed', 'canceled'].includes(status) && (tradedById.get(id) ?? 0) >= lots(filled)
}
// The test sells into the open orders, so each of the strategy's orders ends.
while (!placed.every(isOver)) await exchange.sleep(5)
isDone = true
const statuses = Object.fromEntries(Array.from(orderById, ([id, { status }]) => [id, status]))
process.stdout.write(`${JSON.stringify({ placed, fills, statuses, errors })}\n`)
await exchange.close()
await Promise.allSettled(watching)
process.exit(0)
