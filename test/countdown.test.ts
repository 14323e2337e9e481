/**
 * kill -9 while a countdown runs: the restarted node carries out the countdown's cancels before it accepts
 * any order (docs/reference/timers.md#countdown).
 */
import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
} from './support/bourse-process.ts'

const COUNTDOWN_MS = 1_200
/** Longer than this test takes on any machine. */
const LONG_MS = 3_600_000
const TIMEOUT_MS = 300_000

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

type Answer = { readonly status: boolean; readonly data: Readonly<Record<string, unknown>> }

async function ask(
  { apiKey, secret }: Credentials,
  method: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer['data']> {
  const text = new URLSearchParams({ ...fields, timestamp: `${Date.now()}`, recvWindow: '60000' }).toString()
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  const headers = { 'X-Apikey': apiKey, 'X-Signature': signature }
  const response = await fetch(`${readSandbox(data).baseUrl}/api/v3${path}?${text}`, { method, headers })
  const answer = (await response.json()) as Answer
  expect(answer).toMatchObject({ status: true })
  return answer.data
}

test(
  'a countdown that ends while the node is down is carried out before the next order, and one that has not ended continues',
  async () => {
    node = await sandbox(data, '--limits', 'off')
    const [ann, ben] = readSandbox(data).accounts as [Credentials, Credentials]
    const sell = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '0.001', price: '90000' }
    const { id } = await ask(ann, 'POST', '/order', sell)
    const { id: other } = await ask(ben, 'POST', '/order', { ...sell, price: '91000' })
    const { triggerAt } = await ask(ann, 'POST', '/countdownCancelAll', { countdownTime: `${COUNTDOWN_MS}` })
    const { triggerAt: later } = await ask(ben, 'POST', '/countdownCancelAll', {
      countdownTime: `${LONG_MS}`,
    })
    await node.end('SIGKILL')
    // The countdown ends while the node is down.
    while (Date.now() <= (triggerAt as number)) await Bun.sleep(20)
    node = await sandbox(data, '--limits', 'off')
    const buy = { ...sell, side: 'BUY', timeInForce: 'IOC', newOrderRespType: 'RESULT' }
    expect(await ask(ben, 'POST', '/order', buy)).toMatchObject({ status: 'CANCELED', executedQuantity: '0' })
    const order = (orderId: unknown, who: Credentials) =>
      ask(who, 'GET', '/order', { orderId: orderId as string })
    expect(await order(id, ann)).toMatchObject({ status: 'CANCELED', endReason: 'DEAD_MAN' })
    expect([await order(other, ben), (later as number) > Date.now()]).toMatchObject([{ status: 'NEW' }, true])
    expect(await node.end('SIGTERM')).toBe(0)
  },
  TIMEOUT_MS,
)
