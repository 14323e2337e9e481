/**
 * What the engine's thread notes of each order: when its batch is begun to be written, and when it is durable. Orders are served in
 * the order in which they were handed over, so the n-th that is taken in is the n-th that is written. Other threads load it too, and use
 * nothing of what it changes.
 */

import type { Batch } from '../../src/engine/port/journal.ts'
import type { EngineRequest } from '../../src/engine/port/requests.ts'
import { Engine } from '../../src/engine/writer/engine.ts'
import { MeteredJournal } from '../../src/engine/writer/metered-journal.ts'
import { openTrace, sharedMs, TRACE_DIRECTORY_VARIABLE } from './order-trace.ts'

const [BEGUN, SYNCED] = [0, 1]
const trace = openTrace(process.env[TRACE_DIRECTORY_VARIABLE] ?? '', 'engine')
/** Of each command that waits, whether it is an order. */
const waiting: boolean[] = []
let row = 0

const { offer } = Engine.prototype
Engine.prototype.offer = function (request: EngineRequest) {
  const fault = offer.call(this, request)
  if (fault === undefined && request.kind === 'command') waiting.push(request.command.kind === 'PlaceOrder')
  return fault
}

const { append } = MeteredJournal.prototype
MeteredJournal.prototype.append = async function (batch: Batch): Promise<void> {
  const begunMs = sharedMs()
  await append.call(this, batch)
  const syncedMs = sharedMs()
  for (const isOrder of waiting.splice(0, batch.count)) {
    if (!isOrder) continue
    trace.set(row, BEGUN, begunMs)
    trace.set(row++, SYNCED, syncedMs)
  }
}
