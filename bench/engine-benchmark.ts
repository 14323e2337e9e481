/**
 * How many messages of the public matching-engine benchmark (github.com/flash1-dev/matching-engine-benchmark)
 * does the exchange's book match per second, with every report written? Reads workload files made by its
 * generator, prints the digest of all reports, and checks it against the published one. Engines built for
 * that benchmark's C ABI run alternately with ours, in a runner that measures in the same way
 * (`support/engine-runner.c`). Without files, generated messages of our own are used.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { median } from '../test/support/median.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { cpuNanoseconds, machine, table } from './support/conditions.ts'
import { EngineAdapter } from './support/engine-adapter.ts'
import { publishedOf } from './support/engine-digests.ts'
import { engineFlow } from './support/engine-flow.ts'
import { digestOfReports, EngineReports } from './support/engine-reports.ts'
import { buildRunner, type EnginePeer, type Played, playPeer } from './support/engine-runner.ts'
import { type EngineWorkload, readWorkload, workloadBytes } from './support/engine-workload.ts'

export const PROGRAM = {
  command: 'npm run bench -- engine-benchmark',
  about:
    'What the book does with the workloads of the public matching-engine benchmark: messages a second, reports written, and their digest.',
  words: '[FILE...]',
  options: {
    rounds: { kind: 'whole', default: 10, help: 'alternating rounds of each workload, after one to warm up' },
    engines: {
      kind: 'text',
      default: '',
      help: 'engines to play beside ours: shared libraries of its C ABI, with commas between them; needs a C compiler',
    },
    messages: {
      kind: 'whole',
      default: 200_000,
      help: 'messages of the flow of our own, where no file is given',
    },
  },
} as const satisfies Program

/** Space for reports per message; the benchmark's own workloads have at most 1.11. */
const REPORTS_PER_MESSAGE = 2
const FLOW_SEED = 23

type Named = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly workload: EngineWorkload
  /** The path from which the other engines read the workload. */
  readonly file: string
}

/** Messages per second of each round, by the clock and by the CPU time of the matching thread. */
type Rates = { readonly wall: number[]; readonly cpu: number[] }

/** Returns the digest of each workload. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values, words } = parseProgram(PROGRAM, args)
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  try {
    const workloads = await workloadsOf(words, values.messages, directory)
    const engines = values.engines.split(',').filter((each) => each !== '')
    const peers = engines.length === 0 ? [] : buildRunner(engines, directory)
    console.log(`${machine()}; load average ${loadavg()[0]?.toFixed(1)}`)
    console.log(
      `medians of ${values.rounds} alternating rounds, after one to warm up; each with a new and empty book`,
    )
    return measure(workloads, peers, values.rounds)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function workloadsOf(
  files: readonly string[],
  messages: number,
  directory: string,
): Promise<readonly Named[]> {
  if (files.length > 0) {
    return Promise.all(
      files.map(async (file) => {
        const bytes = new Uint8Array(await Bun.file(file).arrayBuffer())
        return { name: path.basename(file), bytes, workload: readWorkload(bytes), file: path.resolve(file) }
      }),
    )
  }
  const bytes = workloadBytes(engineFlow(messages, FLOW_SEED))
  const file = path.join(directory, 'flow.bin')
  await Bun.write(file, bytes)
  return [{ name: 'a flow of our own', bytes, workload: readWorkload(bytes), file }]
}

function measure(workloads: readonly Named[], peers: readonly EnginePeer[], rounds: number): string[] {
  const players = ['Bourse', ...peers.map(({ name }) => name)]
  const rates = workloads.map(() => players.map((): Rates => ({ wall: [], cpu: [] })))
  const digests: string[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { name, bytes, workload, file }] of workloads.entries()) {
      const played = [playOurs(workload), ...peers.map((peer) => playPeer(peer, file))]
      for (const [k, { wallNs, cpuNs }] of played.entries()) {
        if (round === 0) continue
        rates[i]?.[k]?.wall.push(workload.length / wallNs)
        rates[i]?.[k]?.cpu.push(workload.length / cpuNs)
      }
      if (round > 0) continue
      const found = played.map(({ digest }) => digest)
      digests.push(`${name}: ${agreed(name, bytes, found)}`)
    }
  }
  console.log(table(rowsOf(workloads, players, rates)))
  for (const digest of digests) console.log(digest)
  return digests
}

function playOurs(workload: EngineWorkload): Played {
  const reports = new EngineReports(workload.length * REPORTS_PER_MESSAGE)
  const adapter = new EngineAdapter(reports)
  Bun.gc(true)
  const [wallFrom, cpuFrom] = [Bun.nanoseconds(), threadCpuNanoseconds()]
  adapter.play(workload, 0, workload.length)
  const [wallNs, cpuNs] = [Bun.nanoseconds() - wallFrom, threadCpuNanoseconds() - cpuFrom]
  return { messages: workload.length, wallNs, cpuNs, digest: digestOfReports(reports) }
}

/** The common digest, and whether it is the published one. Throws if they differ. */
function agreed(name: string, bytes: Uint8Array, found: readonly string[]): string {
  const published = publishedOf(bytes)
  const all = new Set(published === undefined ? found : [...found, published.reports])
  if (all.size > 1) throw new Error(`expected one digest of ${name}, found ${[...all].join(', ')}`)
  return `${found[0]}${published === undefined ? '' : `, as published of ${published.scenario}, seed 23`}`
}

/** The last row has the worst case of each engine, by which the benchmark ranks them. */
function rowsOf(
  workloads: readonly Named[],
  players: readonly string[],
  rates: readonly (readonly Rates[])[],
): string[][] {
  const head = players.flatMap((player) => [`${player}: M/s of CPU`, 'by the clock'])
  const medians = rates.map((row) => row.flatMap(({ wall, cpu }) => [median(cpu), median(wall)]))
  const worst = head.map((_, k) => Math.min(...medians.map((row) => row[k] as number)))
  const cells = (row: readonly number[]): string[] => row.map((each) => (each * 1e3).toFixed(2))
  return [
    ['workload', ...head],
    ...workloads.map(({ name }, i) => [name, ...cells(medians[i] as number[])]),
    ['worst case', ...cells(worst)],
  ]
}

/**
 * CPU time of the calling thread alone, without compiler and garbage collector, as the runner measures it for
 * the other engines. Without /proc, that of the process.
 */
function threadCpuNanoseconds(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0])
  } catch {
    return cpuNanoseconds()
  }
}
