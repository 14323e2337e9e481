/**
 * The cost of a hostile client with the secret: a bounded number of bytes per second; orders continue, and
 * nothing that the client invents ends the node. `STANDBY_FIGURES=1` prints the measurements.
 */
import { afterEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { EMPTY_TAIL, sizeOf } from '../../src/engine/port/journal.ts'
import { openReplicaLink } from '../../src/transport/link/asking/replica-link.ts'
import { LinkFault } from '../../src/transport/link/protocol/link-fault.ts'
import { seq } from '../../src/units/quantities.ts'
import { until } from '../support/until.ts'
import { Orders, Pair } from './support/pair.ts'

const TIMEOUT_MS = 300_000
const LINKS = 7
const QUESTIONS = 8
const ARE_FIGURES_WANTED = process.env.STANDBY_FIGURES !== undefined
/** Percentiles need more orders than the assertions. */
const ORDERS = ARE_FIGURES_WANTED ? 1_000 : 200
const BYTES_PER_SECOND = 16 * 1024 * 1024
const BURST_BYTES = 4 * 1024 * 1024
/** Size of the last answer, for which nothing waits. */
const ANSWER_BYTES = 1024 * 1024

let pair: Pair
afterEach(() => pair.end())

/** Milliseconds of each of `orders`, sent one after the other, sorted. */
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
  'links that ask for the whole journal without a pause get a limited number of bytes a second, and every order is answered',
  async () => {
    pair = new Pair()
    const node = await pair.node()
    const baseUrl = await node.ready
    const orders = new Orders(pair.nodeData)
    if (ARE_FIGURES_WANTED) await times(orders, baseUrl)
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
            // A lost link refuses at once.
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
    if (ARE_FIGURES_WANTED)
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

test(
  'an invented epoch ends no node unless it claims to be of this very journal',
  async () => {
    pair = new Pair()
    const node = await pair.node()
    const baseUrl = await node.ready
    const orders = new Orders(pair.nodeData)
    const [address, secret] = [{ socketPath: pair.socket }, 's'.repeat(40)]
    const opening = { address, secret, name: 'ill' }
    const honest = await openReplicaLink(opening, 'standby')
    const { journal } = honest.welcome
    honest.close()
    /**
     * The fault of a takeover check with a client that claims to remember an epoch that never began, of a
     * journal of this name.
     */
    const claim = (name: string | undefined): Promise<unknown> => {
      const remembered = { ...EMPTY_TAIL, position: 7, epoch: 1_000_000, seq: seq(7), journal: name }
      return openReplicaLink({ ...opening, remembered }, 'standby').catch((cause: unknown) => cause)
    }
    const superseded = path.join(pair.nodeData, 'superseded.json')
    for (const [name, words] of [
      [undefined, 'epoch 1000000 of this journal has begun elsewhere'],
      ['f'.repeat(64), `the remembered position belongs to journal ${'f'.repeat(64)}`],
      [journal.slice(0, -1), 'the remembered position belongs to journal'],
    ] as const) {
      const fault = await claim(name)
      expect([fault instanceof LinkFault, (fault as LinkFault).kind]).toEqual([true, 'WITNESS'])
      expect((fault as LinkFault).message).toStartWith(words)
    }
    await until('the log says that it is ignored', () =>
      node.err.includes(
        'a peer reports a later epoch without naming its journal: ignored, this node keeps serving',
      ),
    )
    expect(await orders.place(baseUrl)).toBe(true)
    expect([node.child.exitCode, existsSync(superseded)]).toEqual([null, false])
    await claim(journal)
    await until('it has ended', () => node.child.exitCode !== null, TIMEOUT_MS)
    expect(existsSync(superseded)).toBe(true)
  },
  TIMEOUT_MS,
)
