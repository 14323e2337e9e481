/**
 * Another client, in a separate process: periodically requests the best prices, whether or not its last
 * request was answered, and times every answer.
 */
import { createHmac } from 'node:crypto'
import type { Trader } from './load.ts'
import type { Probed, ProbeOrder } from './probe.ts'

const EVERY_MS = 10

let dueAt: number[] = []
let tookMs: number[] = []
let begun: Trader | undefined

process.on('message', (order: ProbeOrder) => {
  if (order.kind === 'report') {
    process.send?.(report())
    return
  }
  dueAt = []
  tookMs = []
  if (begun !== undefined) return
  begun = order.trader
  let next = performance.now()
  const tick = (): void => {
    for (; next <= performance.now(); next += EVERY_MS) void ask(order.trader, next)
    setTimeout(tick, Math.max(0, next - performance.now()))
  }
  tick()
})

async function ask({ port, apiKey, secret }: Trader, due: number): Promise<void> {
  const waiting = dueAt
  const took = tookMs
  waiting.push(due)
  const query = `symbol=BTC/USDT&limit=1&timestamp=${Date.now()}&recvWindow=60000`
  const signature = createHmac('sha256', secret).update(query).digest('hex')
  const url = `http://127.0.0.1:${port}/api/v3/depth?${query}`
  const answer = await fetch(url, { headers: { 'X-Apikey': apiKey, 'X-Signature': signature } })
  await answer.text()
  if (!answer.ok) throw new Error(`the depth answered ${answer.status}`)
  waiting.splice(waiting.indexOf(due), 1)
  took.push(performance.now() - due)
}

function report(): Probed {
  const now = performance.now()
  const sorted = Float64Array.from([...tookMs, ...dueAt.map((due) => now - due)]).sort()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { questions: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
