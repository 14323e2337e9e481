/**
 * Reasons not to promote a standby: a node that gives any answer, and a copy that lacks data that its own
 * directory remembers.
 */
import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { until } from '../support/until.ts'
import { lagOf, Orders, Pair } from './support/pair.ts'

const TIMEOUT_MS = 300_000

let pair: Pair
afterEach(() => pair.end())

/** Whether any part of a promotion was written into the standby's directory. */
function isPromoted(): boolean {
  return existsSync(path.join(pair.standbyData, 'promoted.json'))
}

test(
  'a standby is not promoted while its node answers, even with a refusal, nor without the last batch that its witness has',
  async () => {
    pair = new Pair()
    const { standbyData, nodeData, root } = pair
    const node = await pair.node()
    const standby = await pair.standby()
    const orders = new Orders(nodeData)
    const baseUrl = await node.ready
    for (let i = 0; i < 5; i++) await orders.place(baseUrl)
    let lag = await lagOf(standby)
    while (lag.behindCommands !== 0) lag = await lagOf(standby)
    pair.carryMasterKey()

    const otherSecret = path.join(root, 'other-secret')
    writeFileSync(otherSecret, `${'t'.repeat(40)}\n`, { mode: 0o600 })
    const line = [
      'standby',
      'promote',
      '--data',
      standbyData,
      '--port',
      '0',
      '--yes-the-old-node-is-off',
      '--no-serve',
    ]
    const refused = pair.start(...line, '--replication-secret-file', otherSecret)
    expect(await refused.exited()).toBe(1)
    expect(refused.err).toMatch(/answers with [A-Z_]+: .*Stop it first\. Nothing was changed/)
    expect([standby.child.exitCode, isPromoted()]).toEqual([null, false])

    await node.end('SIGTERM')
    await until('the standby knows', () => standby.err.includes('the link is lost'))
    await standby.end('SIGTERM')
    // A server answers at the node's address: it may be the node, flooded or hanging.
    const flooded = Bun.serve({ unix: pair.socket, fetch: () => new Response('no\n', { status: 429 }) })
    const early = pair.start(...line, ...pair.secret)
    expect(await early.exited()).toBe(1)
    expect(early.err).toMatch(
      /is not off: .* refuses connections \(.*429\)\. Stop it first\. Nothing was changed/,
    )
    await flooded.stop(true)
    rmSync(pair.socket, { force: true })
    const hanging = Bun.listen({ unix: pair.socket, socket: { data: () => {} } })
    const hasty = pair.start(...line, ...pair.secret)
    expect(await hasty.exited()).toBe(1)
    expect(hasty.err).toMatch(/is not off: .* accepts connections and does not answer/)
    hanging.stop(true)
    rmSync(pair.socket, { force: true })
    expect(isPromoted()).toBe(false)
    {
      using db = new Database(path.join(standbyData, 'journal.sqlite'))
      db.run('DELETE FROM batch WHERE position = (SELECT max(position) FROM batch)')
      db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    }
    const short = pair.start(...line, ...pair.secret)
    expect(await short.exited()).toBe(1)
    expect(short.err).toContain('witness')
    expect(isPromoted()).toBe(false)
  },
  TIMEOUT_MS,
)
