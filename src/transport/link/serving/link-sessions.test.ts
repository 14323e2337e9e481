/** Sessions of a lost gateway while the engine has no room for a command. */
import { expect, test } from 'bun:test'
import type { Command } from '../../../core/commands/command.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import type { EnginePort, ReplyReceiver } from '../../../engine/port/ports.ts'
import type { Scheduler } from '../../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import type { AccountId, SessionNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { LinkSessions } from './link-sessions.ts'

/** Sessions of a gateway, the commands that they send to the engine, and their scheduled retries. */
function sessions() {
  const handed: { readonly command: Command; readonly receiver: ReplyReceiver }[] = []
  const later: (() => void)[] = []
  const engine = { hand: (command: Command, receiver: ReplyReceiver) => handed.push({ command, receiver }) }
  const scheduler: Scheduler = {
    ...runtimeScheduler,
    later: (task) => {
      later.push(task)
      return () => {}
    },
  }
  return { handed, later, sessions: new LinkSessions(engine as unknown as EnginePort, scheduler) }
}

const OPEN: Command = {
  ...{ kind: 'OpenSession', accountId: 2 as AccountId, apiKey: 'k', graceMs: 0, resumes: undefined },
}
const opened = (attachment: number) =>
  ({ kind: 'SessionOpened', sessionNumber: 9 as SessionNumber, time: 1 as TimeMs, attachment }) as const
const disconnect = (attachment: number): Command => ({
  ...{ kind: 'DisconnectSession', sessionNumber: 9 as SessionNumber, attachment },
})

test('an engine that is full or overloaded is informed again that a session is gone, and one that stops is not', () => {
  for (const kind of ['OVERLOADED', 'STORAGE_FULL', 'STOPPING', 'ENGINE_DOWN'] as const) {
    const { handed, later, sessions: own } = sessions()
    own.replied(OPEN, opened(1))
    own.lost()
    handed[0]?.receiver.failed(new EngineFault(kind, 'no room'))
    for (const task of later) task()
    const times = kind === 'OVERLOADED' || kind === 'STORAGE_FULL' ? 2 : 1
    expect([kind, handed.map(({ command }) => command)]).toEqual([kind, Array(times).fill(disconnect(1))])
  }
})

test('the end of a connection leaves the session to the connection that has taken it over', () => {
  const { handed, sessions: own } = sessions()
  own.replied(OPEN, opened(1))
  own.replied(OPEN, opened(2))
  own.replied(disconnect(1), { kind: 'Done', repeated: false })
  own.lost()
  expect(handed.map(({ command }) => command)).toEqual([disconnect(2)])
})
