/** The steps of `binance-api-node` once the printed lines have connected it. */
const symbol = 'BTCUSDT'

module.exports = async ({ client, Binance, url, accounts, loaded }) => {
  const { symbols } = await loaded
  const [, { apiKey, secret: apiSecret }] = accounts
  const other = Binance({ apiKey, apiSecret, httpBase: url })
  const events = []
  const canceled = new Promise((resolve) => {
    void client.ws.user(({ eventType, executionType }) => {
      if (eventType === 'executionReport') events.push(executionType)
      if (executionType === 'CANCELED') resolve()
    })
  })
  const trade = new Promise((resolve) => client.ws.trades([symbol], resolve))
  // It does not say when it has subscribed: the first candle comes on a connection of its own after that.
  await new Promise((resolve) => client.ws.candles(symbol, '1s', resolve))
  const newClientOrderId = `node-${Date.now()}`
  const bid = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000', newClientOrderId }
  const placed = await client.order(bid)
  const duplicate = await client.order(bid).catch(({ code, message }) => `${code} ${message}`)
  const open = await client.openOrders({ symbol })
  const fill = await other.order({ symbol, side: 'SELL', type: 'LIMIT', quantity: '0.004', price: '50000' })
  const { price: traded } = await trade
  const { orderId } = placed
  const order = await client.getOrder({ symbol, orderId })
  const [mine] = (await client.myTrades({ symbol })).slice(-1)
  const halted = await client
    .order({ symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '2000' })
    .catch(({ code, message }) => `${code} ${message}`)
  const cancel = await client.cancelOrder({ symbol, orderId })
  await canceled
  const replaced = await client.order({ ...bid, price: '49000', newClientOrderId: `${orderId}-again` })
  await client.cancelOpenOrders({ symbol })
  const left = await client.openOrders({ symbol })
  const { balances } = await client.accountInfo()
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
    // It places over HTTP alone.
    bySocket: replaced.status,
    left: left.length,
    locked: Number(balances.find(({ asset }) => asset === 'USDT').locked),
    events: events.slice(0, 3),
  }
}
