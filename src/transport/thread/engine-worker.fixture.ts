/**
 * The worker of the thread driver's tests: an engine on real storage.
 */
import type { Command } from '../../core/exchange/command.ts'
import { EXCHANGE_FACTORY, type StateMachineFactory } from '../../engine/port/state-machine.ts'
import { openStorage } from '../../storage/sqlite/storage.ts'
import { runEngineHost } from './engine-host.ts'

export type EngineWorkerStart = {
  readonly port: MessagePort
  readonly feed: MessagePort
  readonly directory: string
}

/** An account of this name breaks the machine. */
export const POISON = 'poison'

declare const self: { onmessage: ((event: MessageEvent<EngineWorkerStart>) => void) | null }

const fragile: StateMachineFactory = {
  empty: () => broken(EXCHANGE_FACTORY.empty()),
  fromSnapshot: (payload) => broken(EXCHANGE_FACTORY.fromSnapshot(payload)),
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
