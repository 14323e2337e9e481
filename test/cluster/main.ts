/**
 * `npm run cluster:soak -- [--rounds N]`: two engines, two gateways and a historian as processes on two or
 * three servers of a real database, with one or two faults per round under load. At the end everything
 * acknowledged is in the journal once, all books add up, and all engines have the same state.
 */
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { discardServers } from '../postgres/support/server.ts'
import { median } from '../support/median.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { PROCESSES } from './support/cluster-machines.ts'
import { NamespaceNetwork } from './support/namespace-network.ts'
import type { Network } from './support/network.ts'
import { ProxyNetwork } from './support/proxy-network.ts'
import { type Round, Soak } from './support/soak.ts'
import { drawFaults, textOf } from './support/soak-faults.ts'

const PROGRAM = {
  command: 'npm run cluster:soak --',
  about:
    'A whole cluster under load, with one or two faults per round; fails if anything acknowledged is lost or carried out twice.',
  options: {
    rounds: { kind: 'number', default: 40, help: 'so many rounds, 1 to 100000' },
    silence: {
      kind: 'number',
      default: 700,
      help: 'milliseconds after which a leader is deposed, 450 to 60000',
    },
    servers: { kind: 'number', default: 3, help: 'of the database, 2 or 3, replicated synchronously' },
    network: {
      kind: 'text',
      among: ['auto', 'namespaces', 'proxies'],
      default: 'auto',
      help: 'what machines are joined by: namespaces of the kernel need root',
    },
    seed: { kind: 'number', default: 0, help: 'which faults, in which order; 0: another one each time' },
  },
} as const

const { values } = readProgram(PROGRAM)
requireWhole('rounds', values.rounds, 1, 100_000)
requireWhole('silence', values.silence, 450, 60_000)
requireWhole('servers', values.servers, 2, 3)
requireWhole('seed', values.seed, 0, 2 ** 32 - 1)

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    notUnderstood(PROGRAM.command, `--${name} must be a whole number from ${min} to ${max}, found ${value}`)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const seed = values.seed === 0 ? Math.floor(Math.random() * 2 ** 32) : values.seed
const serverPlaces = ['alpha', 'beta', 'gamma'].slice(0, values.servers)

function openNetwork(): Network {
  if (values.network === 'proxies') return new ProxyNetwork()
  const lacking = NamespaceNetwork.lacking()
  if (lacking === undefined) return new NamespaceNetwork([...PROCESSES, ...serverPlaces])
  if (values.network === 'namespaces') notUnderstood(PROGRAM.command, `no network namespaces: ${lacking}`)
  print(`NO NETWORK NAMESPACES HERE (${lacking}): machines are joined by TCP proxies`)
  return new ProxyNetwork()
}

function printRound(number: number, { faults, gapMs, stopMs }: Round, acknowledged: number): void {
  const stops = stopMs.map((ms) => `, stopped in ${ms.toFixed(0)} ms`).join('')
  const what = faults.map(textOf).join(' + ')
  print(
    `${number}: ${what}: ${gapMs.toFixed(0)} ms without an order${stops}; ${acknowledged} acknowledged so far`,
  )
}

const network = openNetwork()
print(`seed ${seed}, ${values.rounds} rounds, ${values.servers} servers, ${network.kind}`)
const rounds: Round[] = []
let problems: readonly string[] = ['it did not come to its end']
let soak: Soak | undefined
try {
  const random = randomNumbers(seed)
  soak = await Soak.begin(network, serverPlaces, { silenceMs: values.silence, random: randomNumbers(~seed) })
  while (rounds.length < values.rounds) {
    const faults = drawFaults(random, network.canSlow)
    print(`   ${faults.map(textOf).join(' + ')} ...`)
    const round = await soak.round(faults)
    rounds.push(round)
    printRound(rounds.length, round, soak.client.acknowledged)
  }
  problems = await soak.findProblems()
} catch (cause) {
  problems = [`seed ${seed}, round ${rounds.length + 1}: ${Bun.inspect(cause)}`]
} finally {
  await soak?.discard()
  await discardServers()
  await network.discard()
}
const gaps = rounds.map(({ gapMs }) => gapMs)
print(
  `without an acknowledged order in a round: median ${median(gaps).toFixed(0)} ms, at most ${Math.max(0, ...gaps).toFixed(0)} ms; longest planned stop ${Math.max(0, ...rounds.flatMap(({ stopMs }) => stopMs)).toFixed(0)} ms`,
)
for (const [reason, count] of soak?.client.refusals ?? []) print(`refused with ${reason}: ${count}`)
const counts = Map.groupBy(soak?.client.outcomeById.values() ?? [], (outcome) => outcome)
for (const [outcome, { length }] of counts) print(`${outcome}: ${length}`)
print(
  problems.length === 0
    ? `seed ${seed}: every acknowledged order is there once, no other is, and all books add up`
    : problems.join('\n'),
)
process.exit(problems.length === 0 ? 0 : 1)
