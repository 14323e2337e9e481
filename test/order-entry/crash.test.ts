/** kill -9 with orders in flight on the stream: acknowledged orders exist afterwards. */
import { afterAll, expect, test } from 'bun:test'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from '../support/bourse-process.ts'
import { until } from '../support/until.ts'
import { plainEntry } from './support/entry-clients.ts'

const ROUNDS = 3
const UNDER_WAY = 32
const ANSWERS = 300

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

test('every order and cancel that was acknowledged over the stream is there after a kill', async () => {
  const open = new Set<string>()
  const canceled = new Set<string>()
  const start = () => sandbox(data, '--limits', 'off')
  node = await start()
  for (let round = 0; round < ROUNDS; round++) {
    const { accounts, baseUrl } = readSandbox(data)
    const [account] = accounts as [Credentials]
    const client = await plainEntry(baseUrl)
    expect((await client.login(account, Date.now(), { recvWindow: 60_000 })).status).toBe(200)
    const targets = new Map<number, string>()
    let sent = 0
    let seen = 1
    const send = (): void => {
      const target = sent % 3 === 2 ? [...open].find((id) => ![...targets.values()].includes(id)) : undefined
      if (target === undefined) {
        const price = String(100 + (sent % 50))
        client.send('order.place', sent++, {
          symbol: 'BTC/USDT',
          side: 'BUY',
          type: 'LIMIT',
          quantity: '0.001',
          price,
        })
      } else {
        targets.set(sent, target)
        client.send('order.cancel', sent++, { id: target })
      }
    }
    for (let n = 0; n < UNDER_WAY; n++) send()
    await until('enough answers', () => {
      for (; seen < client.answers.length; seen++) {
        const { id, status, body } = client.answers[seen] as (typeof client.answers)[number]
        expect(status).toBe(200)
        const target = targets.get(Number(id))
        if (target === undefined) open.add(body.data.id)
        else {
          open.delete(target)
          canceled.add(target)
        }
        send()
      }
      return seen > ANSWERS
    })
    const unsure = new Set(
      [...targets]
        .filter(([id]) => !client.answers.some((answer) => answer.id === id))
        .map(([, target]) => target),
    )
    await node.end('SIGKILL')
    node = await start()
    const found = new Set(await openIds(readSandbox(data)))
    for (const id of open) if (!unsure.has(id)) expect([id, found.has(id)]).toEqual([id, true])
    for (const id of canceled) expect([id, found.has(id)]).toEqual([id, false])
    for (const id of unsure) if (!found.has(id)) open.delete(id)
  }
  expect(Math.min(open.size, canceled.size)).toBeGreaterThan(ROUNDS * 20)
}, 300_000)

async function openIds({ baseUrl, accounts }: ReturnType<typeof readSandbox>): Promise<string[]> {
  const answer = await signed(baseUrl, accounts[0] as Credentials, 'GET', 'order/active', {
    symbol: 'BTC/USDT',
  })
  return ((await answer.json()) as { id: string }[]).map(({ id }) => id)
}
