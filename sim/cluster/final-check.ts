/** The journal at the end of a run, compared with the answers that every client received. */
import { NO_EVENTS } from '../../src/core/events/event.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import { writeFrame } from '../../src/engine/port/frames.ts'
import { type Batch, EMPTY_TAIL, hexOf, verifyBatch } from '../../src/engine/port/journal.ts'
import { quarantinedBy } from '../../src/engine/writer/own-batches.ts'
import { replayCommands } from '../../src/engine/writer/recovery/replay.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { ByteWriter } from '../../src/units/bytes.ts'
import type { AssetId } from '../../src/units/ids.ts'
import type { Checker } from './checker.ts'
import type { Client, Sent } from './client.ts'
import { MACHINES } from './machines.ts'

/**
 * Checks that every answer is in the journal, and nothing that was certainly not done is in it. No order is
 * in it twice, and every asset sums to zero.
 */
export function checkJournal(batches: readonly Batch[], clients: readonly Client[], checker: Checker): void {
  const repliesByKey = replay(batches, checker)
  for (const client of clients) {
    for (const [key, sent] of client.sent) checkSent(sent, repliesByKey.get(key) ?? [], checker)
  }
}

function replay(batches: readonly Batch[], checker: Checker): Map<string, Reply[]> {
  const quarantined = new Set(
    batches.filter(({ kind }) => kind === 'QUARANTINE').map((one) => quarantinedBy(one).seq),
  )
  const repliesByKey = new Map<string, Reply[]>()
  const machine = MACHINES.empty()
  const states = checker.statesSeen()
  let tail = EMPTY_TAIL
  for (const batch of batches) {
    tail = verifyBatch(sha256, tail, batch)
    for (const { command, reply } of replayCommands(machine, batch, quarantined, NO_EVENTS)) {
      if (command === undefined) continue
      const writer = new ByteWriter(128)
      writeFrame(writer, command)
      const key = Buffer.from(writer.take()).toString('hex')
      repliesByKey.set(key, [...(repliesByKey.get(key) ?? []), reply])
    }
    const seen = states.get(batch.position)
    const hash = `${hexOf(batch.hash)} ${hexOf(sha256([machine.encodeSnapshot()]))}`
    checker.demand(
      seen === undefined || seen.hash === hash,
      () => `${seen?.who} had another state at position ${batch.position} than the journal gives`,
    )
  }
  for (let id = 0; id < machine.assetCount; id++) {
    const { sum, negatives, wrongHolds } = machine.auditAsset(id as AssetId)
    const found = `asset ${id}: sum ${sum}, ${negatives} below zero, ${wrongHolds} wrong holds`
    checker.demand(Number(sum) === 0 && negatives === 0 && wrongHolds === 0, () => found)
  }
  return repliesByKey
}

function checkSent(sent: Sent, stored: readonly Reply[], checker: Checker): void {
  const what = describe(sent)
  const accepted = stored.filter(({ kind }) => kind === 'OrderAccepted').length
  checker.demand(accepted <= 1, () => `${what} is in the journal ${accepted} times`)
  const most = sent.tries - sent.notDone
  checker.demand(
    stored.length <= most,
    () =>
      `${what} was sent ${sent.tries} times and ${sent.notDone} of them certainly not done, and stands ${stored.length} times in the journal`,
  )
  const left = stored.map((reply) => textOf(reply))
  for (const reply of sent.replies) {
    const at = left.indexOf(textOf(reply))
    checker.demand(at >= 0, () => `${what} was answered ${textOf(reply)}, which is not in the journal`)
    left.splice(at, 1)
  }
}

function describe({ command }: Sent): string {
  return command.kind === 'PlaceOrder' ? `order ${command.clientOrderId}` : command.kind
}

function textOf(reply: Reply): string {
  return JSON.stringify(reply, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
}
