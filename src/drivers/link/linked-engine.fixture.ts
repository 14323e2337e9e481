/** An engine in memory with a link server before it, and links to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnginePort, HistoryPort } from '../../engine/ports.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type MemoryEngine, startMemoryEngine } from '../memory/engine.ts'
import { followedHistory } from '../memory/followed-history.fixture.ts'
import { type Link, type LinkOptions, openLink } from './link-client.ts'
import { type LinkNote, LinkServer, type LinkServerOptions } from './link-server.ts'

export const SECRET = 'a shared secret of at least 32 characters'

export type LinkedEngine = {
  readonly memory: MemoryEngine
  /** What the server serves. */
  readonly engine: EnginePort
  readonly history: HistoryPort
  readonly server: LinkServer
  readonly socketPath: string
  /** What the server has noted, oldest first. */
  readonly notes: LinkNote[]
  /** Resolves once the server has noted so many of a kind. */
  noted(kind: LinkNote['kind'], count?: number): Promise<LinkNote>
  /** Opens a link; it is closed with the rest. */
  link(options?: Partial<LinkOptions>): Promise<Link>
  /** A server in the place of one that has stopped. */
  serve(changes?: Partial<LinkServerOptions>): LinkServer
  stop(): Promise<void>
}

export async function startLinkedEngine(changes: Partial<LinkServerOptions> = {}): Promise<LinkedEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-link-'))
  const socketPath = join(directory, 'engine.sock')
  const memory = await startMemoryEngine()
  const engine = changes.engine ?? memory.port
  const history = changes.history ?? followedHistory(memory.feed)
  const notes: LinkNote[] = []
  const links: Link[] = []
  let wake = () => {}
  const serve = (changed: Partial<LinkServerOptions> = changes): LinkServer =>
    new LinkServer({
      socketPath,
      secrets: [SECRET],
      engine,
      history,
      clock: () => ({ isTrusted: true, time: 1_000 as TimeMs, wall: 2_000 as TimeMs }),
      onNote: (note) => {
        notes.push(note)
        wake()
      },
      ...changed,
    })
  const servers = [serve()]
  return {
    memory,
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
      const link = await openLink({ socketPath, secret: SECRET, name: 'gateway', ...options })
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
