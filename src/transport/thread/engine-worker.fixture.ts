/**
 * The worker of the thread driver's tests: an engine on real storage.
 */
import type { Command } from '../../core/commands/command.ts'
import { ANY_EXCHANGES } from '../../engine/port/machines.fixture.ts'
import type { StateMachineFactory } from '../../engine/port/state-machine.ts'
import { openStorage } from '../../storage/sqlite/storage.ts'
import { runEngineHost } from './engine-host.ts'

export type EngineWorkerStart = {
  readonly port: MessagePort
  readonly feed: MessagePort
  readonly directory: string
}

/** An account with this name causes a crash. */
export const POISON = 'poison'

declare const self: { onmessage: ((event: MessageEvent<EngineWorkerStart>) => void) | null }

const fragile: StateMachineFactory = {
  empty: () => broken(ANY_EXCHANGES.empty()),
  fromSnapshot: (payload) => broken(ANY_EXCHANGES.fromSnapshot(payload)),
}

function broken<Machine extends ReturnType<StateMachineFactory['empty']>>(machine: Machine): Machine {
  const apply = machine.apply.bind(machine)
  machine.apply = (command: Command, ...rest) => {
    if (command.kind === 'CreateAccount' && command.name === POISON) throw new Error('a bug')
    return apply(command, ...rest)
  }
  return machine
}

self.onmessage = ({ data: { port, feed, directory } }) => {
  const options = { openStorage: () => openStorage({ directory }), followerChannel: feed, machines: fragile }
  runEngineHost(port, options).catch(() => {})
}
