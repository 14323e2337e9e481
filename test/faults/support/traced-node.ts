/** The program under strace, which records its system calls or makes some of them fail. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOM_FILE } from '../../../src/storage/files/room.ts'
import { BourseProcess } from '../../support/bourse-process.ts'
import { CALLS, type Fault, isFullDisk } from './fault-point.ts'

/** strace appends this to a call that it made fail. */
const INJECTED = '(INJECTED)'
/** A lying write reports this many bytes written: as many as the largest write of a journal's log. */
const LIE_BYTES = 4096

export class TracedNode {
  readonly process: BourseProcess
  readonly #traceFile: string

  /**
   * `fault` specifies the call on a file of `data` that fails; without it every call is recorded, with its
   * files.
   */
  constructor(data: string, traceFile: string, fault: Fault | undefined) {
    this.#traceFile = traceFile
    // It is faster to stop only at the wanted calls, but then strace sends no signal.
    const filter = fault?.error === 'KILL' ? [] : ['--seccomp-bpf']
    const strace = ['strace', '-f', ...filter, '-qq', '-o', traceFile]
    const what = fault === undefined ? ['-y', '-e', `trace=${CALLS}`] : injection(data, fault)
    const sandbox = ['sandbox', '--port', '0', '--data', data, '--limits', 'off']
    this.process = new BourseProcess(sandbox, {}, [...strace, ...what])
  }

  /** The output of strace; complete once the process has ended. */
  get trace(): string {
    return readFileSync(this.#traceFile, 'utf8')
  }

  get injectedCount(): number {
    return this.trace.split(INJECTED).length - 1
  }

  /** Signals the node itself, since strace does not forward signals. Does nothing if the node has exited. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.process.child
    let children = ''
    try {
      children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    } catch {}
    for (const child of children.trim().split(/\s+/)) {
      if (child !== '') signalIfThere(Number(child), name)
    }
  }
}

function injection(data: string, fault: Fault): string[] {
  const { call, file, nth, error, lasting } = fault
  const when = `${nth}${lasting ? '+' : ''}`
  const what = { LIE: `retval=${LIE_BYTES}`, KILL: 'signal=SIGKILL' }[error] ?? `error=${error}`
  const inject = `inject=${call}:${what}:when=${when}`
  // On a full disk, a probe for free space fails too.
  const asking = isFullDisk(fault) ? ['-P', path.join(data, ROOM_FILE)] : []
  return ['-P', path.join(data, file), ...asking, '-e', `trace=${call}`, '-e', inject]
}

function signalIfThere(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
