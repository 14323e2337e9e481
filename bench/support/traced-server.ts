/**
 * The program, with records of when each order arrives at the gateway, is passed to the engine and is
 * answered. The records are made from outside, so the program itself has no code for them; the engine's
 * thread gets the same (`traced-engine.ts`).
 */
import path from 'node:path'
import type { Command } from '../../src/core/commands/command.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import { EngineClient } from '../../src/engine/port/client.ts'
import type { ReplyReceiver } from '../../src/engine/port/ports.ts'
import { EntrySession } from '../../src/server/order-entry/entry-session.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { openTrace, sharedMs, TRACE_DIRECTORY_VARIABLE } from './order-trace.ts'

const [ORDER, ARRIVED, HANDED, REPLIED] = [0, 1, 2, 3]
const trace = openTrace(process.env[TRACE_DIRECTORY_VARIABLE] ?? '', 'gateway')
/** The order of the request being processed. */
let order = -1
let arrivedMs = 0
let row = 0

const { request } = EntrySession.prototype
EntrySession.prototype.request = function (...args: Parameters<typeof request>): void {
  order = Number(args[1])
  arrivedMs = sharedMs()
  request.apply(this, args)
}

const { hand } = EngineClient.prototype
EngineClient.prototype.hand = function (command: Command, receiver: ReplyReceiver, deadline?: TimeMs): void {
  if (command.kind !== 'PlaceOrder') {
    hand.call(this, command, receiver, deadline)
    return
  }
  const at = row++
  trace.set(at, ORDER, order)
  trace.set(at, ARRIVED, arrivedMs)
  trace.set(at, HANDED, sharedMs())
  const noting: ReplyReceiver = {
    replied(reply: Reply): void {
      trace.set(at, REPLIED, sharedMs())
      receiver.replied(reply)
    },
    failed: (fault: unknown) => receiver.failed(fault),
  }
  hand.call(this, command, noting, deadline)
}

const Plain = globalThis.Worker
globalThis.Worker = class extends Plain {
  constructor(code: string | URL, options: WorkerOptions = {}) {
    super(code, { ...options, preload: path.join(import.meta.dir, 'traced-engine.ts') })
  }
}

await import('../../src/app/main.ts')
