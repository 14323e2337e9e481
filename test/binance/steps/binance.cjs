/** The steps of `binance` of npm once the printed lines have connected it. */
const symbol = 'BTCUSDT'
const GTC = { type: 'LIMIT', timeInForce: 'GTC' }

module.exports = async ({ client, streams, requests, MainClient, url, accounts, loaded }) => {
  const { symbols } = await loaded
  const [, { apiKey, secret }] = accounts
  const other = new MainClient({ api_key: apiKey, api_secret: secret, baseUrl: url })
  const trade = new Promise((resolve) => {
    streams.on('message', (message) => message.e === 'trade' && resolve(message))
  })
  await streams.subscribe(['btcusdt@trade', 'btcusdt@bookTicker'], 'main')
  const events = []
  const canceled = new Promise((resolve) => {
    requests.getWSClient().on('message', ({ e, x }) => {
      if (e === 'executionReport') events.push(x)
      if (x === 'CANCELED') resolve()
    })
  })
  await requests.subscribeUserDataStream('mainWSAPI')
  const newClientOrderId = client.generateNewOrderId()
  const bid = { symbol, side: 'BUY', ...GTC, quantity: 0.01, price: 50_000, newClientOrderId }
  const placed = await client.submitNewOrder(bid)
  const duplicate = await client.submitNewOrder(bid).catch(({ code, message }) => `${code} ${message}`)
  const open = await client.getOpenOrders({ symbol })
  const ask = { symbol, side: 'SELL', ...GTC, quantity: 0.004, price: 50_000 }
  const fill = await other.submitNewOrder(ask)
  const { p: traded } = await trade
  const { orderId } = placed
  const order = await client.getOrder({ symbol, orderId })
  const [mine] = (await client.getAccountTradeList({ symbol })).slice(-1)
  const halted = await client
    .submitNewOrder({ symbol: 'ETHUSDT', side: 'BUY', ...GTC, quantity: 1, price: 2_000 })
    .catch(({ code, message }) => `${code} ${message}`)
  const cancel = await client.cancelOrder({ symbol, orderId })
  await canceled
  const later = { ...bid, price: 49_000, newClientOrderId: client.generateNewOrderId() }
  const bySocket = await requests.submitNewSpotOrder({ ...later, timestamp: Date.now() })
  await client.cancelAllSymbolOrders({ symbol })
  const left = await client.getOpenOrders({ symbol })
  const { balances } = await client.getAccountInformation({ omitZeroBalances: true })
  return {
    markets: symbols.map((each) => each.symbol),
    placed: placed.status,
    open: open.map((each) => each.clientOrderId === newClientOrderId),
    fill: fill.status,
    order: [order.status, Number(order.executedQty)],
    mine: [Number(mine.price), Number(mine.qty), mine.orderId === orderId],
    traded: Number(traded),
    duplicate: duplicate === '-2010 Duplicate order sent.' || duplicate,
    halted: halted === '-2010 Market is closed.' || halted,
    cancel: cancel.status,
    bySocket: bySocket.result.status,
    left: left.length,
    locked: Number(balances.find(({ asset }) => asset === 'USDT').locked),
    events: events.slice(0, 3),
  }
}
