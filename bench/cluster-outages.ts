/**
 * How long is a cluster unavailable? Orders with client order ids are sent through a gateway while the
 * leading engine, or the primary of its database, is killed. The time counts from the kill to the
 * acknowledgement of the first order that was sent after it. At the end every acknowledged order must be in
 * the journal exactly once, no refused order may be in it, and a replay from the first batch must produce the
 * right sums of every asset.
 */
import { journalOutcome } from '../test/cluster/support/journal-outcome.ts'
import { median } from '../test/support/median.ts'
import { randomNumbers } from '../test/support/random-numbers.ts'
import { Cluster } from './support/cluster.ts'
import { table } from './support/conditions.ts'
import { IdentifiedOrders } from './support/identified-orders.ts'
import type { Promotion } from './support/quorum-database.ts'

export type OutagesSize = {
  /** Number of kills of the leading engine. */
  readonly kills: number
  /** Number of kills of the database's primary, with the promotion of a standby, each in a new cluster. */
  readonly promotions: number
  /** Orders per second. */
  readonly rate: number
  readonly leaderTimeoutMs: number | undefined
}

/** Orders are sent for this long before a kill, plus a random time up to the same length. */
const BEFORE_MS = 800

/** Times in milliseconds from a kill. */
type Outage = {
  readonly ms: number
  /** Time until an engine leads. */
  readonly leadsMs: number
  /** Time until the gateway is linked to the new leader. */
  readonly linkedMs: number
}

export async function clusterOutages(size: OutagesSize): Promise<void> {
  const random = randomNumbers(1)
  if (size.kills > 0) await engineKills(size, random)
  if (size.promotions > 0) await databasePromotions(size, random)
}

async function engineKills(
  { kills, rate, leaderTimeoutMs }: OutagesSize,
  random: () => number,
): Promise<void> {
  console.log(
    `time without service: the engine that leads killed ${kills} times at random moments, up to ${rate} orders/s`,
  )
  const cluster = await Cluster.start({ gateways: 1, leaderTimeoutMs })
  try {
    const client = clientOf(cluster, rate)
    const outages: Outage[] = []
    for (let kill = 0; kill < kills; kill++) {
      await flow(client, random)
      const leader = await cluster.leader()
      outages.push(
        await outageOf(cluster, client, async () => {
          await cluster.kill(leader)
        }),
      )
      await cluster.startEngine(leader)
    }
    console.log(outageTable(outages))
    console.log(await outcomeOf(cluster, client))
  } finally {
    await cluster.discard()
  }
}

async function databasePromotions(
  { promotions: times, rate, leaderTimeoutMs }: OutagesSize,
  random: () => number,
): Promise<void> {
  console.log(
    `time without service: the primary of the database killed ${times} times and a standby promoted at once, up to ${rate} orders/s`,
  )
  const outages: (Outage & Promotion)[] = []
  const proofs: string[] = []
  for (let time = 0; time < times; time++) {
    const cluster = await Cluster.start({ gateways: 1, isRelayed: true, leaderTimeoutMs })
    try {
      const client = clientOf(cluster, rate)
      await flow(client, random)
      const { promise: promoted, resolve, reject } = Promise.withResolvers<Promotion>()
      promoted.catch(() => {})
      const outage = await outageOf(cluster, client, async () => {
        const { promise: ended, resolve: hasEnded } = Promise.withResolvers<void>()
        cluster.promote(hasEnded).then(resolve, reject)
        await ended
      })
      outages.push({ ...outage, ...(await promoted) })
      proofs.push(await outcomeOf(cluster, client))
    } finally {
      await cluster.discard()
    }
  }
  console.log(promotionTable(outages))
  for (const proof of proofs) console.log(proof)
}

function clientOf({ traders }: Cluster, rate: number): IdentifiedOrders {
  const [trader] = traders
  if (trader === undefined) throw new Error('expected a gateway')
  return new IdentifiedOrders(trader, rate)
}

async function flow(client: IdentifiedOrders, random: () => number): Promise<void> {
  await client.nextAcknowledged()
  await Bun.sleep(BEFORE_MS * (1 + random()))
}

/** `kill` resolves when its target has exited. */
async function outageOf(
  cluster: Cluster,
  client: IdentifiedOrders,
  kill: () => Promise<void>,
): Promise<Outage> {
  const begun = performance.now()
  const wall = Date.now()
  await kill()
  const ms = (await client.nextAcknowledged()) - begun
  const { leadsAt, linkedAt } = cluster.lastSteps(wall)
  return { ms, leadsMs: leadsAt - wall, linkedMs: linkedAt - wall }
}

/** Stops everything; throws if the journal does not match the answers to the client. */
async function outcomeOf(cluster: Cluster, client: IdentifiedOrders): Promise<string> {
  await client.stop()
  await cluster.stop()
  const { acceptedById, claims, off } = await journalOutcome(await cluster.openTable(), [])
  const { acknowledged, refused, unknown } = client
  const lost = acknowledged.filter((id) => acceptedById.get(id) !== 1)
  const wrong = refused.filter((id) => acceptedById.has(id))
  if (lost.length > 0) throw new Error(`acknowledged, and not there once: ${lost.slice(0, 10).join(', ')}`)
  if (wrong.length > 0) throw new Error(`refused, and there: ${wrong.slice(0, 10).join(', ')}`)
  if (off.length > 0) throw new Error(`the books are off: ${off.join(', ')}`)
  const there = unknown.filter((id) => acceptedById.has(id)).length
  const told = `acknowledged ${acknowledged.length}, each in the journal once; refused ${refused.length}, none of them there`
  return `${told}; outcome unknown ${unknown.length}, of which ${there} are there; ${claims} claims; every asset adds up`
}

function outageTable(outages: readonly Outage[]): string {
  const head = ['ms from the kill', 'median', 'max']
  const lines = [
    lineOf(
      'another engine leads',
      outages.map(({ leadsMs }) => leadsMs),
    ),
    lineOf(
      'the gateway is linked to it',
      outages.map(({ linkedMs }) => linkedMs),
    ),
    lineOf(
      'the next order is acknowledged',
      outages.map(({ ms }) => ms),
    ),
  ]
  const lists = [
    `all: ${listOf(outages.map(({ ms }) => ms))}`,
    `until another engine led: ${listOf(outages.map(({ leadsMs }) => leadsMs))}`,
    `until the gateway was linked to it: ${listOf(outages.map(({ linkedMs }) => linkedMs))}`,
  ]
  return [table([head, ...lines]), ...lists].join('\n')
}

function promotionTable(outages: readonly (Outage & Promotion)[]): string {
  const head = ['ms from the kill', 'median', 'max']
  const column = (name: string, of: (outage: Outage & Promotion) => number): string[] =>
    lineOf(name, outages.map(of))
  const lines = [
    column('a standby is chosen', ({ chosenMs }) => chosenMs),
    column('it takes writes', ({ promotedMs }) => promotedMs),
    column('the other standby follows it', ({ followedMs }) => followedMs),
    column('the next order is acknowledged', ({ ms }) => ms),
    column('that, after it took writes', ({ ms, promotedMs }) => ms - promotedMs),
  ]
  return `${table([head, ...lines])}\nall: ${listOf(outages.map(({ ms }) => ms))}`
}

/** Times that were not recorded are left out. */
function lineOf(name: string, all: readonly number[]): string[] {
  const noted = all.filter((ms) => !Number.isNaN(ms))
  return [name, median(noted).toFixed(0), noted.length === 0 ? '-' : Math.max(...noted).toFixed(0)]
}

function listOf(all: readonly number[]): string {
  return all.map((ms) => ms.toFixed(0)).join(', ')
}
