/** An engine in memory with a link server in front of it, and links to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import { followedHistory } from '../../../sim/memory/followed-history.fixture.ts'
import { MemoryJournal } from '../../../sim/memory/journal.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { COMMAND_CODES, type CommandKind } from '../../core/commands/command.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type Link, type LinkOptions, openLink } from './asking/link-client.ts'
import type { ConnectionOptions } from './asking/link-connection.ts'
import { openReplicaLink, type ReplicaLink } from './asking/replica-link.ts'
import { type LinkNote, LinkServer, type LinkServerOptions } from './serving/link-server.ts'
import type { LeaderServices } from './serving/link-services.ts'

export const SECRET = 'a shared secret of at least 32 characters'

/** Parts that a test changes, in the services and in the server. */
export type LinkedChanges = Partial<LeaderServices> & Partial<Omit<LinkServerOptions, 'services'>>

/** Tests of links also send operators' commands over them. */
const ALL_COMMANDS: ReadonlySet<CommandKind> = new Set(Object.keys(COMMAND_CODES) as CommandKind[])

export type LinkedEngine = {
  readonly memory: MemoryEngine
  readonly journal: MemoryJournal
  readonly snapshots: MemorySnapshots
  /** The served services. */
  readonly engine: EnginePort
  readonly history: HistoryPort
  readonly server: LinkServer
  readonly socketPath: string
  /** Events recorded by the server, oldest first. */
  readonly notes: LinkNote[]
  /** Resolves once the server has noted `count` notes of this kind. */
  noted(kind: LinkNote['kind'], count?: number): Promise<LinkNote>
  /** Opens a link, which is closed with the fixture. */
  link(options?: Partial<LinkOptions>): Promise<Link>
  /** Opens a replica's link, which is closed with the fixture. */
  replica(options?: Partial<ConnectionOptions>): Promise<ReplicaLink>
  /** Starts a server to replace one that has stopped. */
  serve(changes?: LinkedChanges): LinkServer
  stop(): Promise<void>
}

export async function startLinkedEngine(changes: LinkedChanges = {}): Promise<LinkedEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-link-'))
  const socketPath = join(directory, 'engine.sock')
  const journal = new MemoryJournal()
  const snapshots = new MemorySnapshots()
  const memory = await startMemoryEngine({ journal, snapshots })
  const engine = changes.engine ?? memory.port
  const history = changes.history ?? followedHistory(memory.feed)
  const notes: LinkNote[] = []
  const links: { close(): void }[] = []
  let wake = () => {}
  const serve = (changed: LinkedChanges = changes): LinkServer =>
    new LinkServer({
      listen: { socketPath },
      secrets: [SECRET],
      commands: ALL_COMMANDS,
      services: {
        kind: 'leader',
        journal: 'journal-of-a-test',
        name: 'engine',
        epoch: 0,
        engine,
        history,
        clock: () => ({ isTrusted: true, time: 1_000 as TimeMs, wall: 2_000 as TimeMs }),
        confirmed: () => journal.tail,
        replicas: { feed: memory.feed, snapshots },
        ...changed,
      },
      onNote: (note) => {
        notes.push(note)
        wake()
      },
      ...changed,
    })
  const servers = [serve()]
  return {
    memory,
    journal,
    snapshots,
    engine,
    history,
    server: servers[0] as LinkServer,
    socketPath,
    notes,
    noted: async (kind, count = 1) => {
      for (;;) {
        const note = notes.filter((each) => each.kind === kind)[count - 1]
        if (note !== undefined) return note
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    link: async (options = {}) => {
      const link = await openLink({ address: { socketPath }, secret: SECRET, name: 'gateway', ...options })
      links.push(link)
      return link
    },
    replica: async (options = {}) => {
      const link = await openReplicaLink({
        address: { socketPath },
        secret: SECRET,
        name: 'replica',
        ...options,
      })
      links.push(link)
      return link
    },
    serve: (changed) => {
      const server = serve(changed)
      servers.push(server)
      return server
    },
    stop: async () => {
      for (const link of links) link.close()
      for (const server of servers) await server.stop()
      await memory.stop()
      rmSync(directory, { recursive: true })
    },
  }
}
