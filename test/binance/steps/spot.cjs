/** The steps of `@binance/spot` once the printed lines have connected it. */
const symbol = 'BTCUSDT'
const GTC = { type: 'LIMIT', timeInForce: 'GTC' }

module.exports = async ({ client, Spot, url, accounts, loaded }) => {
  const { symbols } = await loaded
  const [, { apiKey, secret: apiSecret }] = accounts
  const other = new Spot({ configurationRestAPI: { apiKey, apiSecret, basePath: url } })
  const { restAPI: rest } = client
  const data = async (answer) => (await answer).data()
  const streams = await client.websocketStreams.connect()
  const trade = new Promise((resolve) => streams.trade({ symbol }).on('message', resolve))
  const requests = await client.websocketAPI.connect()
  const { stream } = await requests.userDataStreamSubscribeSignature()
  const events = []
  const canceled = new Promise((resolve) => {
    stream.on('message', ({ e, x }) => {
      if (e === 'executionReport') events.push(x)
      if (x === 'CANCELED') resolve()
    })
  })
  const newClientOrderId = `spot-${Date.now()}`
  const bid = { symbol, side: 'BUY', ...GTC, quantity: 0.01, price: 50_000, newClientOrderId }
  const placed = await data(rest.newOrder(bid))
  const duplicate = await rest.newOrder(bid).catch(({ code, message }) => `${code} ${message}`)
  const open = await data(rest.getOpenOrders({ symbol }))
  const ask = { symbol, side: 'SELL', ...GTC, quantity: 0.004, price: 50_000 }
  const fill = await data(other.restAPI.newOrder(ask))
  const { p: traded } = await trade
  const { orderId } = placed
  const order = await data(rest.getOrder({ symbol, orderId }))
  const [mine] = (await data(rest.myTrades({ symbol }))).slice(-1)
  const halted = await rest
    .newOrder({ symbol: 'ETHUSDT', side: 'BUY', ...GTC, quantity: 1, price: 2_000 })
    .catch(({ code, message }) => `${code} ${message}`)
  const cancel = await data(rest.deleteOrder({ symbol, orderId }))
  await canceled
  const bySocket = await requests.orderPlace({ ...bid, price: 49_000, newClientOrderId: `${orderId}-ws` })
  await data(rest.deleteOpenOrders({ symbol }))
  const left = await data(rest.getOpenOrders({ symbol }))
  const { balances } = await data(rest.getAccount({ omitZeroBalances: true }))
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
    bySocket: bySocket.data.status,
    left: left.length,
    locked: Number(balances.find(({ asset }) => asset === 'USDT').locked),
    events: events.slice(0, 3),
  }
}
