/**
 * A logged-in session belongs to the address that opened it
 * (docs/reference/order-entry.md#when-a-login-ends).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { request as httpRequest } from 'node:http'
import { io } from 'socket.io-client'
import type { Fixture } from '../../src/server/public/gateway.fixture.ts'
import { until } from '../support/until.ts'
import { loginFields } from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100' }

let f: Fixture
beforeAll(async () => {
  f = await openExchange()
})
afterAll(() => f.stop())

/** Posts a packet to a session, with only the session's id. */
function post(sessionId: string, localAddress: string, packet: string): Promise<number | undefined> {
  const { port } = new URL(f.url)
  const path = `/socket.io/?EIO=4&transport=polling&sid=${sessionId}`
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, localAddress, method: 'POST', path }
    const asking = httpRequest({ ...options, headers: { 'content-type': 'text/plain' } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    asking.on('error', reject).end(packet)
  })
}

test('a client that knows the id of a logged-in polling session places no order from another address', async () => {
  const socket = io(f.url.replace('localhost', '127.0.0.1'), { transports: ['polling'], forceNew: true })
  const answers: unknown[] = []
  socket.on('answer', (id) => answers.push(id))
  await new Promise<void>((resolve) => void socket.on('connect', () => resolve()))
  const sessionId = (socket.io.engine as unknown as { readonly id: string }).id
  const order = (id: string) => `42${JSON.stringify(['order.place', id, ORDER])}`
  // A session without a login can be used from any address.
  expect(await post(sessionId, '127.0.0.2', '3')).toBe(200)
  socket.emit('login', loginFields(f.alice, f.clock.time))
  await until('the login is answered', () => answers.includes('login'))
  expect(await post(sessionId, '127.0.0.2', order('stolen'))).toBe(401)
  expect(await post(sessionId, '127.0.0.1', order('own'))).toBe(200)
  await until('the own order is answered', () => answers.includes('own'))
  expect(answers).toEqual(['login', 'own'])
  socket.close()
})
