/** Engines built for the C ABI of the public matching-engine benchmark, played by `engine-runner.c`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { digestOfReports, EngineReports } from './engine-reports.ts'

export type EnginePeer = { readonly name: string; readonly library: string; readonly runner: string }

export type Played = {
  readonly messages: number
  readonly wallNs: number
  /** CPU time of the matching thread. */
  readonly cpuNs: number
  readonly digest: string
}

const REPORT_BYTES = 64
const SUFFIX = /(?:_adapter)?\.so$/

/** Builds the runner into `directory`, for these shared libraries. */
export function buildRunner(libraries: readonly string[], directory: string): EnginePeer[] {
  const runner = path.join(directory, 'engine-runner')
  const source = path.join(import.meta.dir, 'engine-runner.c')
  const { exitCode, stderr } = Bun.spawnSync(['cc', '-O2', '-o', runner, source, '-ldl'])
  if (exitCode !== 0) throw new Error(`expected cc to build ${source}: ${stderr}`)
  return libraries.map((library) => {
    return { name: path.basename(library).replace(SUFFIX, ''), library: path.resolve(library), runner }
  })
}

/** One run in a separate process, with an empty book. */
export function playPeer({ name, library, runner }: EnginePeer, workload: string): Played {
  const reportsFile = `${runner}.reports`
  const { exitCode, stdout, stderr } = Bun.spawnSync([runner, library, workload, reportsFile])
  if (exitCode !== 0) throw new Error(`expected ${name} to play ${workload}: ${stderr}`)
  const [messages, wallNs, cpuNs] = stdout.toString().split(' ').map(Number) as [number, number, number]
  return { messages, wallNs, cpuNs, digest: digestOfReports(reportsIn(readFileSync(reportsFile))) }
}

/** The C ABI's reports, in the benchmark's canonical order. */
function reportsIn(bytes: Buffer): EngineReports {
  const count = bytes.length / REPORT_BYTES
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const number = (at: number): number => Number(view.getBigUint64(at, true))
  const rows = Array.from({ length: count }, (_, i) => {
    const at = i * REPORT_BYTES
    return { at, type: view.getUint8(at), sequence: number(at + 8) }
  })
  rows.sort((a, b) => a.sequence - b.sequence || a.type - b.type)
  const reports = new EngineReports(count)
  for (const { at, type, sequence } of rows) {
    const [price, quantity] = [number(at + 24), view.getUint32(at + 32, true)]
    if (type === 1) reports.trade(sequence, price, quantity, number(at + 40), number(at + 48))
    else reports.order(type, sequence, number(at + 16), view.getUint8(at + 1), price, quantity)
  }
  return reports
}
