import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import { feedContract, type StartedFeed } from '../../engine/port/feed.contract.ts'
import type { BatchFeed } from '../../engine/port/feed.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { FeedClient, serveBatches } from '../thread/follower-feed.ts'
import { startLinkedEngine } from './linked-engine.fixture.ts'

function started(memory: MemoryEngine, feed: BatchFeed, stop: () => Promise<void>): StartedFeed {
  return { feed, submit: (command) => memory.port.submit(command), stop }
}

feedContract('an engine’s own', sha256, async (quarantined) => {
  const memory = await startMemoryEngine()
  return started(memory, passingOver(memory.feed, quarantined), () => memory.stop())
})

feedContract('a thread’s', sha256, async (quarantined) => {
  const memory = await startMemoryEngine()
  const { port1, port2 } = new MessageChannel()
  serveBatches(port1, passingOver(memory.feed, quarantined))
  return started(memory, new FeedClient(port2), () => memory.stop())
})

feedContract('a link’s', sha256, async (quarantined) => {
  const linked = await startLinkedEngine()
  const { memory, snapshots } = linked
  linked.server.serve({
    ...{ kind: 'leader', journal: 'j', name: 'engine', epoch: 0, clock: () => undefined },
    engine: linked.engine,
    history: linked.history,
    replicas: { feed: passingOver(memory.feed, quarantined), snapshots },
  })
  const { feed } = await linked.replica()
  let isStopped = false
  return started(memory, feed, async () => {
    if (!isStopped) await linked.stop()
    isStopped = true
  })
})

function passingOver(feed: BatchFeed, quarantined: ReadonlySet<Seq>): BatchFeed {
  return { ...feed, quarantined: async () => quarantined }
}
