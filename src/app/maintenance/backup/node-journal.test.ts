/**
 * A busy node shows stored data after a short delay: until then, a witness of that data must not count as
 * evidence of a loss.
 */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readJournal } from '../../../server/admin/records/journal.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import { type Seq, seq } from '../../../units/quantities.ts'
import { audit, newRoot, writeDirectory } from '../verification/directory.fixture.ts'
import { NodeJournal } from './node-journal.ts'

const root = newRoot()
let shown: number[] = []
let asked = 0
const node = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => Response.json({ ok: true, result: { seq: shown[Math.min(asked++, shown.length - 1)] } }),
})
afterAll(async () => {
  await node.stop(true)
  rmSync(root, { recursive: true })
})

function showing(...seqs: number[]): { readonly url: string; readonly token: string; readonly pid: number } {
  shown = seqs
  asked = 0
  return { url: `http://127.0.0.1:${node.port}`, token: 'x', pid: 1 }
}

test('the journal of a node that lags behind its witness ends where the node shows the witnessed command', async () => {
  const directory = path.join(root, 'data')
  mkdirSync(directory)
  writeFileSync(path.join(directory, 'admin.json'), JSON.stringify(showing(3_132, 3_132, 3_150)))
  expect((await NodeJournal.open(directory, seq(3_144))).tail.seq).toBe(seq(3_150))
  expect(asked).toBe(3)
})

test('without a witnessed command, or with one that is shown, the node is asked once', async () => {
  for (const atLeast of [0, 7, 8]) {
    expect((await NodeJournal.at(showing(8), 1, seq(atLeast))).tail.seq).toBe(seq(8))
    expect(asked).toBe(1)
  }
})

test('a command that the node never shows is waited for no longer than the limit, and the journal ends before it', async () => {
  expect((await NodeJournal.at(showing(8), 1, seq(9), 50)).tail.seq).toBe(seq(8))
  expect(asked).toBeGreaterThan(1)
})

test.each(['verify', 'backup', 'replay'])(
  '%s beside a node that shows its newest command a moment later finds nothing missing',
  async (command) => {
    const directory = path.join(root, command)
    await writeDirectory(directory)
    const { journal } = openStorage({ directory })
    const { seq: end } = journal.tail
    let lag = 3
    const lagging = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const operation = new URL(request.url).pathname.replace(/^\/admin\/v1\//, '')
        return Response.json({ ok: true, result: await answer(operation, await request.json()) })
      },
    })
    const feed = { next: (after: Seq, bytes: number) => journal.read(after, bytes) }
    const answer = async (operation: string, body: unknown) => {
      if (operation === 'node/status') return { seq: lag-- > 0 ? end - 1 : end }
      if (operation === 'journal/quarantined') return []
      return readJournal({ feed, seq: () => end } as never, body as never)
    }
    const address = { url: `http://127.0.0.1:${lagging.port}`, token: 'x', pid: process.pid }
    writeFileSync(path.join(directory, 'admin.json'), JSON.stringify(address))
    const options = { verify: [], backup: ['--to', `${directory}-copy`], replay: ['--until', `${end}`] }
    const given = options[command as keyof typeof options]
    const { code, err } = await audit(command, '--data', directory, ...given)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(lag).toBeLessThan(0)
    await journal.close()
    await lagging.stop(true)
  },
)
