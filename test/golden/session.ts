/**
 * The session that a golden journal holds: some hundred commands of every kind, right and wrong, in batches of several
 * sizes; the engine is stopped and started in between, and one command is a poison that ends up in quarantine.
 */
import type { Command } from '../../src/core/exchange/command.ts'
import { type MemoryEngine, startMemoryEngine } from '../../src/drivers/memory/engine.ts'
import { openStorage } from '../../src/drivers/sqlite/storage.ts'
import {
  EXCHANGE_FACTORY,
  type StateMachine,
  type StateMachineFactory,
} from '../../src/engine/state-machine.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { RandomSource } from '../model/random-source.ts'
import { OPERATOR } from '../model/random-world.ts'
import { Comparison, runSeeds } from '../model/run.ts'

const SEED = 2
const STEPS = 3_000
const BATCHES = [1, 2, 5, 1, 12, 3] as const
/** 2026-09-21T14:13:20.123Z; every command is given some milliseconds after the one before. */
const START_MS = 1_790_000_000_123

const POISON: Command = { kind: 'CreateAccount', operator: OPERATOR, name: 'poison' }

/** Runs the session on the production storage in `directory`; what is left there is the golden journal. */
export async function playSession(directory: string): Promise<void> {
  const commands = sessionCommands()
  const half = Math.floor(commands.length / 2)
  let time = START_MS
  const clock = () => {
    time += 7
    return time as TimeMs
  }
  const start = () => startMemoryEngine({ ...openStorage({ directory }), clock, machines: FAULTY })

  const first = await start()
  await submitAll(first, commands.slice(0, half))
  await first.stop()
  await meetPoison(directory, clock)
  const second = await start()
  if (second.report.newlyQuarantined.length !== 1) throw new Error('the poison must have been quarantined')
  await submitAll(second, commands.slice(half))
  await second.stop()
}

/** A random run of the model, every step of which core and reference exchange agree on; the engine's own commands are the engine's to give. */
function sessionCommands(): Command[] {
  const random = new RandomSource(SEED)
  const comparison = new Comparison()
  runSeeds(
    Array.from({ length: STEPS }, () => random.word()),
    () => {},
    comparison,
  )
  const commands = comparison.steps.flatMap((step) => (step.kind === 'apply' ? [step.command] : []))
  return commands.filter(({ kind }) => kind !== 'TriggerOrder')
}

async function submitAll(engine: MemoryEngine, commands: readonly Command[]): Promise<void> {
  for (let at = 0, turn = 0; at < commands.length; turn++) {
    const size = BATCHES[turn % BATCHES.length] as number
    await Promise.all(commands.slice(at, at + size).map((command) => engine.port.submit(command)))
    at += size
  }
}

/** An engine that dies of one command, after it is durable. */
async function meetPoison(directory: string, clock: () => TimeMs): Promise<void> {
  const storage = openStorage({ directory })
  const death = Promise.withResolvers<unknown>()
  const engine = await startMemoryEngine({ ...storage, clock, machines: FAULTY, onDeath: death.resolve })
  await engine.port.submit(POISON).catch(() => {})
  await death.promise
  storage.witness.close()
  await storage.journal.close()
}

/** The exchange with a bug: it cannot stand an account named `poison`. */
const FAULTY: StateMachineFactory = {
  empty: () => faulty(EXCHANGE_FACTORY.empty()),
  fromSnapshot: (payload) => faulty(EXCHANGE_FACTORY.fromSnapshot(payload)),
}

function faulty(machine: StateMachine): StateMachine {
  return new Proxy(machine, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown
      if (name === 'apply') {
        return (...args: Parameters<StateMachine['apply']>) => {
          const [command] = args
          if (command.kind === 'CreateAccount' && command.name === 'poison') throw new Error('a bug')
          return target.apply(...args)
        }
      }
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
