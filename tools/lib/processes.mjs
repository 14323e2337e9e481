/** The processes of a test run, as Linux lists them; on other systems the lists are empty. */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * A variable in the environment of everything that a run starts, so that leftover processes can be found. No
 * setting has this prefix.
 */
export const RUN_VARIABLE = 'TEST_RUN_MARK'

/** SIGSTOP in a mask of signals: its number is 19. */
const STOP_BIT = 1n << 18n

/** Whether this system lists its processes. */
export const canSeeProcesses = () => entriesOf('/proc').includes(String(process.pid))

/** Ids of the processes with `run` in their environment, without this one. */
export function markedProcesses(run) {
  const mark = `${RUN_VARIABLE}=${run}`
  return pids().filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(mark))
}

/**
 * The processes of `run` and all their descendants, whatever their environment: parents before their
 * children.
 */
export function processesOf(run) {
  const childrenByParent = new Map()
  for (const pid of pids()) {
    const parent = readProcess(pid)?.parent
    if (parent !== undefined) childrenByParent.set(parent, [...(childrenByParent.get(parent) ?? []), pid])
  }
  const marked = new Set(markedProcesses(run))
  const roots = [...marked].filter((pid) => !marked.has(readProcess(pid)?.parent))
  const found = new Set()
  const visit = (pid) => {
    if (found.has(pid)) return
    found.add(pid)
    for (const child of childrenByParent.get(pid) ?? []) visit(child)
  }
  for (const root of roots) visit(root)
  return [...found]
}

/**
 * The current state of a process: `isStopped` is also true if it is about to stop. Undefined if it has ended.
 */
export function readProcess(pid) {
  const [state, parent] = textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  if (parent === undefined || state === 'Z' || state === 'X') return undefined
  const pending = textOf(`/proc/${pid}/status`).matchAll(/^(?:Sig|Shd)Pnd:\s*([0-9a-f]+)$/gm)
  const isToStop = [...pending].some(([, mask]) => (BigInt(`0x${mask}`) & STOP_BIT) !== 0n)
  return { parent: Number(parent), isStopped: state === 'T' || isToStop, hasStopped: state === 'T' }
}

/** Sends a signal to the processes that still exist; a negative id is a process group. */
export function signalEach(ids, signal) {
  for (const id of ids) {
    try {
      process.kill(id, signal)
    } catch {
      // The process has already ended.
    }
  }
}

/**
 * Text of the file; empty if it cannot be read because its process has ended or the file was never written.
 */
export function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function pids() {
  return entriesOf('/proc').flatMap((name) => {
    return /^\d+$/.test(name) && Number(name) !== process.pid ? [Number(name)] : []
  })
}

function entriesOf(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
