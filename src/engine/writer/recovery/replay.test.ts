import { expect, test } from 'bun:test'
import { NO_EVENTS } from '../../../core/events/event.ts'
import { sha256 } from '../../../storage/sha256.ts'
import type { Seq } from '../../../units/quantities.ts'
import { JournaledExchange, openMarkets } from '../../follower/journaled-exchange.fixture.ts'
import { EMPTY_TAIL, endOf } from '../../port/journal.ts'
import { ANY_EXCHANGES } from '../../port/machines.fixture.ts'
import { account } from '../commands.fixture.ts'
import { claimBatch, quarantineBatch } from '../own-batches.ts'
import { replayBatch, replayCommands } from './replay.ts'

const NONE: ReadonlySet<Seq> = new Set()

test('a state machine in the middle of a batch gets the commands after its own, each of them once', async () => {
  const source = new JournaledExchange()
  const batch = await source.write([...openMarkets(), account('ann'), account('ben'), account('cleo')])
  const whole = ANY_EXCHANGES.empty()
  replayBatch(whole, batch, NONE, NO_EVENTS)
  for (let place = 1; place < batch.count; place++) {
    const machine = ANY_EXCHANGES.empty()
    for (const { seq } of replayCommands(machine, batch, NONE, NO_EVENTS)) if (seq === place) break
    expect(machine.seq as number).toBe(place)
    const rest = [...replayCommands(machine, batch, NONE, NO_EVENTS)].map(({ seq }) => seq as number)
    expect(rest).toEqual(Array.from({ length: batch.count - place }, (_, i) => place + 1 + i))
    expect(machine.encodeSnapshot()).toEqual(whole.encodeSnapshot())
  }
})

test('a claim and a quarantine change nothing of an exchange but the sequence number', () => {
  const claim = claimBatch(sha256, EMPTY_TAIL, { name: 'east', nonce: new Uint8Array(16) })
  const entry = { seq: 1 as Seq, check: new Uint8Array(32) }
  const quarantine = quarantineBatch(sha256, endOf(claim), entry)
  const machine = ANY_EXCHANGES.empty()
  replayBatch(machine, claim, NONE, NO_EVENTS)
  const steps = [...replayCommands(machine, quarantine, NONE, NO_EVENTS)]
  expect(steps.map(({ seq, command }) => [seq as number, command])).toEqual([[2, undefined]])
  const refusing = ANY_EXCHANGES.empty()
  refusing.refuse(claim.time)
  refusing.refuse(claim.time)
  expect(machine.encodeSnapshot()).toEqual(refusing.encodeSnapshot())
})
