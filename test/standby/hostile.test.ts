/** What whoever knows the secret and means ill costs the node: so many bytes a second, and orders go on. `STANDBY_FIGURES=1` prints what was measured. */
import { afterEach, expect, test } from 'bun:test'
import { openReplicaLink } from '../../src/drivers/link/replica-link.ts'
import { sizeOf } from '../../src/engine/journal.ts'
import { seq } from '../../src/units/quantities.ts'
import { Orders, Pair } from './support/pair.ts'

const TIMEOUT_MS = 300_000
const LINKS = 7
const QUESTIONS = 8
const ORDERS = 1_000
const BYTES_PER_SECOND = 16 * 1024 * 1024
const BURST_BYTES = 4 * 1024 * 1024
/** The last answer, which is not waited for. */
const ANSWER_BYTES = 1024 * 1024

let pair: Pair
afterEach(() => pair.end())

/** Milliseconds of each of so many orders, one after the other, sorted. */
async function times(orders: Orders, baseUrl: string): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < ORDERS; i++) {
    const startMs = performance.now()
    expect(await orders.place(baseUrl)).toBe(true)
    took.push(performance.now() - startMs)
  }
  return took.sort((a, b) => a - b)
}

const figures = (sorted: readonly number[]) => ({ p50Ms: sorted[ORDERS / 2], p99Ms: sorted[ORDERS * 0.99] })

test(
  'links that ask for the whole journal without a pause get so many bytes a second, and every order is answered',
  async () => {
    pair = new Pair()
    const node = await pair.node()
    const baseUrl = await node.ready
    const orders = new Orders(pair.nodeData)
    await times(orders, baseUrl)
    const alone = await times(orders, baseUrl)

    const [address, secret] = [{ socketPath: pair.socket }, 's'.repeat(40)]
    const links = await Promise.all(
      Array.from({ length: LINKS }, (_, i) =>
        openReplicaLink({ address, secret, name: `ill-${i}` }, 'standby'),
      ),
    )
    let bytes = 0
    let refused = 0
    let isOver = false
    const startMs = performance.now()
    const asking = links.flatMap(({ feed }) =>
      Array.from({ length: QUESTIONS }, async () => {
        while (!isOver) {
          const batches = await feed.next(seq(0), 2 ** 40).catch(() => undefined)
          if (batches === undefined) {
            refused++
            // A link that is lost refuses at once.
            await Bun.sleep(10)
            continue
          }
          bytes += batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
        }
      }),
    )
    const beside = await times(orders, baseUrl)
    const seconds = (performance.now() - startMs) / 1_000
    const got = bytes
    const most = BURST_BYTES + ANSWER_BYTES + BYTES_PER_SECOND * seconds
    isOver = true
    for (const link of links) link.close()
    await Promise.all(asking)
    if (process.env.STANDBY_FIGURES !== undefined)
      console.info({
        alone: figures(alone),
        beside: figures(beside),
        mibPerSecond: got / seconds / 2 ** 20,
        refused,
      })
    expect(got).toBeGreaterThan(1_000_000)
    expect(got).toBeLessThan(most)
    expect(await orders.place(baseUrl)).toBe(true)
    expect(await node.end('SIGTERM')).toBe(0)
  },
  TIMEOUT_MS,
)
