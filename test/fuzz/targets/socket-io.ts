/**
 * The Socket.IO transport on a real port: posts of a polling client, each in a session of its own. Every post
 * is answered, and the server continues to serve others.
 */

import { targetOf } from '../../../src/server/listener/target.ts'
import { STREAM_DEFAULTS } from '../../../src/server/stream/config.ts'
import { createStream, type StreamSocketData } from '../../../src/server/stream/stream.ts'
import { timeMs } from '../../../src/units/quantities.ts'
import { MarketData } from '../../../src/views/market-data.ts'
import { NO_HISTORY } from '../../support/no-history.ts'
import { emptyBootstrap, syntheticSymbol } from '../../support/synthetic-market.ts'
import { expectThat, type Target } from '../target.ts'

/** Separator of the packets of one post (Engine.IO 4). */
const NEXT = '\u001e'

export function socketIo(): Target<string> {
  const many = 1_000_000
  const config = { ...STREAM_DEFAULTS, connectionsPerAddressMax: many, connectionsMax: many }
  const market = new MarketData(emptyBootstrap([syntheticSymbol(0, 'BTC/USDT')]))
  const stream = createStream({
    market,
    history: NO_HISTORY,
    config,
    clock: { now: () => timeMs(Date.now()) },
  })
  const server = Bun.serve<StreamSocketData>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, self) =>
      stream.handles(request, targetOf(request.url).path)
        ? (stream.handle(request, self) as Response)
        : new Response('page', { status: 404 }),
    websocket: stream.websocket,
  })
  const address = `http://127.0.0.1:${server.port}/socket.io/?EIO=4&transport=polling`
  let runs = 0

  /** Checks that a well-behaved client is served. */
  async function expectService(): Promise<void> {
    const sid = await open(address)
    await post(`${address}&sid=${sid}`, '40')
    await post(`${address}&sid=${sid}`, '42["join","BTC/USDT"]')
    let heard = ''
    for (let polls = 0; polls < 5 && !heard.includes('"trades"'); polls++) {
      heard += await (await fetch(`${address}&sid=${sid}`)).text()
    }
    expectThat(heard.includes('42["orders",{') && heard.includes('42["trades",['), () => `heard ${heard}`)
    await post(`${address}&sid=${sid}`, '1')
  }

  return {
    name: 'socket-io',
    executions: 1_500,
    samples: [
      '40',
      `40${NEXT}42["join","BTC/USDT"]`,
      '42["join","BTC/USDT"]',
      '2',
      '3',
      '1',
      '6',
      '40/stream,',
      '40/nowhere,{"a":1}',
      '421["join",{}]',
      '451-["join",{"_placeholder":true,"num":0}]',
      'bAAAA',
      '41',
      '4',
      '',
    ],
    tokens: [
      NEXT,
      '40',
      '42',
      '43',
      '45',
      '[',
      '{"_placeholder":true,"num":0}',
      '/ws,',
      '99999999999999999999',
      'b4',
      '"__proto__"',
    ],
    check: async (text) => {
      if (runs++ % 100 === 0) await expectService()
      const sid = await open(address)
      const status = await post(`${address}&sid=${sid}`, text)
      expectThat([200, 400, 413].includes(status), () => `status ${status}`)
      await post(`${address}&sid=${sid}`, '1')
      return `${status}`
    },
    outcomes: ['200'],
    close: async () => {
      await stream.stop()
      await server.stop(true)
    },
  }
}

async function open(address: string): Promise<string> {
  const text = await (await fetch(address)).text()
  const { sid } = JSON.parse(text.slice(1)) as { sid: string }
  expectThat(text.startsWith('0{') && sid !== '', () => `no session: ${text}`)
  return sid
}

async function post(address: string, body: string): Promise<number> {
  const response = await fetch(address, { method: 'POST', body })
  await response.text()
  return response.status
}
