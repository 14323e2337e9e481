/**
 * Records in the engine's thread for each order when the write of its batch begins, and when it is durable.
 * Orders are processed in the order in which they were passed on, so the n-th received is the n-th written.
 * Other threads load this file too, but use nothing that it changes.
 */

import type { Batch } from '../../src/engine/port/journal.ts'
import type { EngineRequest } from '../../src/engine/port/requests.ts'
import { Engine } from '../../src/engine/writer/engine.ts'
import { MeteredJournal } from '../../src/engine/writer/metered-journal.ts'
import { openTrace, sharedMs, TRACE_DIRECTORY_VARIABLE } from './order-trace.ts'

const [BEGUN, SYNCED] = [0, 1]
const trace = openTrace(process.env[TRACE_DIRECTORY_VARIABLE] ?? '', 'engine')
/** Whether each waiting command is an order. */
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
