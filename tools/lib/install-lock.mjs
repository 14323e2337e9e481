/**
 * One command at a time installs the dependencies of a checkout: two runs of `npm ci` at once remove each other's files. The
 * lock is a file that names its process; one that a killed process has left is nobody's.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const LOOK_MS = 100
/** A lock without a readable name is being written, or was left half-written: this old, it is nobody's. */
const UNREADABLE_MS_MAX = 10_000

/**
 * Runs `work` while no other command of this checkout does, and returns what it returns. `onWait` is called once with the process
 * that is waited for (undefined: not known yet). `work` returns: one that ends the process leaves its lock.
 */
export function withInstallLock(file, onWait, work) {
  mkdirSync(path.dirname(file), { recursive: true })
  let isWaiting = false
  while (!taken(file)) {
    const holder = holderOf(file)
    if (holder === 'nobody') {
      remove(file)
    } else if (holder !== 'gone') {
      if (!isWaiting) onWait(holder.pid)
      isWaiting = true
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
    }
  }
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function taken(file) {
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }), { flag: 'wx' })
    return true
  } catch (cause) {
    if (cause.code === 'EEXIST') return false
    throw cause
  }
}

/** The process that has the lock; `nobody`: whoever had it has ended; `gone`: there is no lock any more. */
function holderOf(file) {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8'))
    return isAlive(pid) && startOf(pid) === started ? { pid } : 'nobody'
  } catch (cause) {
    if (cause.code === 'ENOENT') return 'gone'
  }
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return age > UNREADABLE_MS_MAX ? 'nobody' : { pid: undefined }
}

/** Removes a lock that is nobody's; when another command has just replaced it by its own, that one is put back. */
function remove(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (cause) {
    if (cause.code === 'ENOENT') return
    throw cause
  }
  try {
    if (holderOf(aside) !== 'nobody') writeFileSync(file, readFileSync(aside), { flag: 'wx' })
  } catch (cause) {
    if (cause.code !== 'EEXIST') throw cause
  }
  rmSync(aside, { force: true })
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause.code === 'EPERM'
  }
}

/** When a process started, as its system says it: a number is given to another process one day. Undefined: the system does not say. */
function startOf(pid) {
  try {
    // The second field is the program's name, in brackets; the 22nd is the start, in ticks since the machine's.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[19]
  } catch {
    if (process.platform === 'win32') return undefined
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim()
  }
}
