/** The steps of ccxt's class `binance` once the printed lines have connected it. */
const SYMBOL = 'BTC/USDT'

module.exports = async ({ exchange, ccxt, accounts, loaded }) => {
  const markets = Object.keys(await loaded)
  const [, { apiKey, secret }] = accounts
  const other = new ccxt.pro.binance({ apiKey, secret, options: { fetchMarkets: { types: ['spot'] } } })
  other.urls = exchange.urls
  await other.loadMarkets()
  const events = []
  const canceled = Promise.withResolvers === undefined ? deferred() : Promise.withResolvers()
  const follow = async () => {
    for (;;) {
      for (const { info } of await exchange.watchOrders(SYMBOL)) {
        events.push(info.x)
        if (info.x === 'CANCELED') canceled.resolve()
      }
    }
  }
  // Ends with the connection.
  const following = follow().catch(() => {})
  const trade = exchange.watchTrades(SYMBOL)
  const book = exchange.watchOrderBook(SYMBOL)
  await Promise.all([book, exchange.watchTicker(SYMBOL)])
  const id = `ccxt-${Date.now()}`
  const place = () => exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_000, { newClientOrderId: id })
  const placed = await place()
  const duplicate = await place().catch(({ message }) => message)
  const open = await exchange.fetchOpenOrders(SYMBOL)
  const fill = await other.createOrder(SYMBOL, 'limit', 'sell', 0.004, 50_000)
  const [{ price: traded }] = await trade
  const order = await exchange.fetchOrder(placed.id, SYMBOL)
  const [mine] = (await exchange.fetchMyTrades(SYMBOL)).slice(-1)
  const halted = await exchange
    .createOrder('ETH/USDT', 'limit', 'buy', 1, 2_000)
    .catch(({ message }) => message)
  const cancel = await exchange.cancelOrder(placed.id, SYMBOL)
  await canceled.promise
  const bySocket = await exchange.createOrderWs(SYMBOL, 'limit', 'buy', 0.01, 49_000)
  await exchange.cancelAllOrders(SYMBOL)
  const left = await exchange.fetchOpenOrders(SYMBOL)
  const balance = await exchange.fetchBalance()
  await Promise.all([exchange.close(), other.close(), following])
  return {
    markets: markets.map((name) => name.replace('/', '')),
    placed: placed.info.status,
    open: open.map(({ clientOrderId }) => clientOrderId === id),
    fill: fill.info.status,
    order: [order.info.status, order.filled],
    mine: [mine.price, mine.amount, mine.order === placed.id],
    traded,
    duplicate: duplicate.includes('Duplicate order sent.') && duplicate.includes('-2010'),
    // It makes an error of its own of this text, which it knows.
    halted: halted === 'binance Market is closed.' || halted,
    cancel: cancel.info.status,
    bySocket: bySocket.info.status,
    left: left.length,
    locked: balance.USDT.used,
    events: events.slice(0, 3),
  }
}

function deferred() {
  const made = {}
  made.promise = new Promise((resolve) => {
    made.resolve = resolve
  })
  return made
}
