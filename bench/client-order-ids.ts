/**
 * What does a client order id cost, in time and memory, and can a client choose ids that cost more? Uses
 * orders that end at once, in a separate process for each choice of ids.
 */
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'
import type { IdsProbe } from './support/ids-probe.ts'

const PROBE = path.join(import.meta.dir, 'support/ids-probe.ts')
const CHOICES = ['none', 'random', 'ascending', 'descending', 'one beginning', 'one hash'] as const
/** Number of ids of an account with the same hash. */
const COLLIDING_MAX = 512

export const PROGRAM = {
  command: 'npm run bench -- client-order-ids',
  about: 'What client order ids cost, and those that somebody chose to be slow.',
  options: {
    accounts: { kind: 'whole', default: 50, help: 'accounts that trade' },
    orders: { kind: 'whole', default: 25_000, help: `orders, at most ${COLLIDING_MAX} an account` },
  },
} as const satisfies Program

/** Returns the names of the measured choices: figures are not a digest. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { accounts, orders } = parseProgram(PROGRAM, args).values
  console.log(machine())
  const rows = [['ids', 'ns placed', 'beside random', 'ns repeated', 'beside random', 'bytes an id']]
  const probes = new Map<string, IdsProbe>()
  for (const choice of CHOICES) probes.set(choice, await probe(choice, accounts, orders))
  const { none, random } = Object.fromEntries(probes) as Record<'none' | 'random', IdsProbe>
  for (const [choice, { placed, repeated, bytes }] of probes) {
    const ratios = [placed / random.placed, repeated / random.repeated].map((ratio) => ratio.toFixed(2))
    rows.push([
      choice,
      placed.toFixed(0),
      ratios[0] as string,
      repeated.toFixed(0),
      ratios[1] as string,
      (bytes - none.bytes).toFixed(0),
    ])
  }
  console.log(table(rows))
  return [...probes.keys()]
}

async function probe(choice: string, accounts: number, orders: number): Promise<IdsProbe> {
  const most = Math.min(orders, accounts * COLLIDING_MAX)
  const command = [process.execPath, '--no-env-file', PROBE, choice, String(accounts), String(most)]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text()) as IdsProbe
}
