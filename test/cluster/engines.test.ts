/**
 * Engines of a cluster as processes, on a real database: killed, paused, disconnected and stopped during
 * trading. An outside client records what was acknowledged; at the end the journal is replayed from its first
 * batch.
 */
import { afterAll, expect, test } from 'bun:test'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { Drill, type Fault } from './support/drill.ts'

let drill: Drill | undefined
afterAll(async () => {
  await drill?.discard()
  await discardServers()
}, 300_000)

const FAULTS: readonly Fault[] = [
  'KILL',
  'PAUSE',
  'CUT_DATABASE',
  'STOP',
  'KILL_STANDBY',
  'LOSE_DISK',
  'CUT_DATABASE',
  'KILL',
  'KILL_ALL',
]

test('nothing acknowledged is lost or repeated while engines are killed, paused, cut off and stopped, and both have one state', async () => {
  drill = await Drill.begin(await PostgresServer.start())
  for (const fault of FAULTS) await drill.inflict(fault)
  expect(await drill.findProblems()).toEqual([])
  expect(drill.acknowledged).toBeGreaterThan(100)
}, 300_000)
