/** Searches for the engine that leads, one engine after another, and becomes its link once it is found. */

import type { LeaderLink, LeaderSearch } from '../../src/engine/leadership/cluster-ports.ts'
import type { Batch, RememberedPlace } from '../../src/engine/port/journal.ts'
import type { Snapshot, SnapshotStore } from '../../src/engine/port/snapshots.ts'
import type { Seq } from '../../src/units/quantities.ts'
import type { Random } from '../world/random.ts'
import type { EngineMember } from './member.ts'
import type { DownMessage, Pull, UpMessage } from './messages.ts'
import type { Network, WireEnd } from './network.ts'
import type { SimProcess } from './process.ts'

/** An engine without a message for this long is given up. */
const SILENCE_MS = 900

export type SearchParts = {
  readonly process: SimProcess
  readonly network: Network
  readonly random: Random
  readonly others: readonly EngineMember[]
  readonly remembered: () => RememberedPlace | undefined
}

type Wire = WireEnd<UpMessage, DownMessage>
type Welcome = Extract<DownMessage, { kind: 'WELCOME' }>

export function searchLeader(parts: SearchParts): LeaderSearch {
  const { process, random, others } = parts
  const found = Promise.withResolvers<LeaderLink>()
  let isEnded = false
  let next = random.below(others.length)
  const look = (): void => {
    if (isEnded) return
    const engine = others[next++ % others.length] as EngineMember
    tryOne(parts, engine, (link) => {
      if (link === undefined) process.after(random.between(10, 60), look)
      else if (isEnded) link.close()
      else {
        isEnded = true
        found.resolve(link)
      }
    })
  }
  look()
  return {
    found: found.promise,
    end: () => {
      isEnded = true
    },
  }
}

function tryOne(
  { process, network, remembered }: SearchParts,
  engine: EngineMember,
  done: (link: LeaderLink | undefined) => void,
): void {
  if (!engine.process.isAlive || network.isCut(process.name, engine.name)) {
    done(undefined)
    return
  }
  const [wire, far] = network.connect<UpMessage, DownMessage>(process, engine.process)
  let isDone = false
  const settle = (link: LeaderLink | undefined): void => {
    if (isDone) return
    isDone = true
    if (link === undefined) wire.close()
    done(link)
  }
  wire.onClosed = () => settle(undefined)
  wire.onMessage = (message) => {
    settle(message.kind === 'WELCOME' ? linkOf(wire, process, engine.name, message) : undefined)
  }
  process.after(SILENCE_MS, () => settle(undefined))
  engine.accept(far)
  wire.send({ kind: 'HELLO', role: 'replica', remembered: remembered() })
}

function linkOf(wire: Wire, process: SimProcess, name: string, welcome: Welcome): LeaderLink {
  const { journal, mark: confirmed } = welcome
  const lost = Promise.withResolvers<unknown>()
  const waiting = new Map<number, (value: unknown) => void>()
  let number = 0
  let heardAt = process.now
  const pull = (asked: Pull): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(++number, resolve)
      wire.send({ kind: 'PULL', number, pull: asked })
    })
  const end = (why: string): void => {
    wire.close()
    lost.resolve(why)
  }
  const watch = (): void => {
    if (process.now - heardAt >= SILENCE_MS) end('it says nothing')
    else if (wire.isOpen) process.after(SILENCE_MS / 3, watch)
  }
  wire.onClosed = () => end('the connection is lost')
  wire.onMessage = (message) => {
    heardAt = process.now
    if (message.kind !== 'PULLED') return
    waiting.get(message.number)?.(message.value)
    waiting.delete(message.number)
  }
  watch()
  const feed = {
    next: (afterSeq: Seq, maxBytes: number) =>
      pull({ kind: 'BATCHES', afterSeq, maxBytes }) as Promise<readonly Batch[]>,
    stateHash: async () => undefined,
    quarantined: () => pull({ kind: 'QUARANTINED' }) as Promise<ReadonlySet<Seq>>,
  }
  const copySnapshot = async (store: SnapshotStore): Promise<boolean> => {
    const snapshot = (await pull({ kind: 'SNAPSHOT' })) as Snapshot | undefined
    if (snapshot !== undefined) await store.save(snapshot)
    return snapshot !== undefined
  }
  const { epoch } = confirmed
  return {
    name,
    epoch,
    journal,
    confirmed,
    feed,
    lost: lost.promise,
    copySnapshot,
    close: () => end('it was closed'),
  }
}
