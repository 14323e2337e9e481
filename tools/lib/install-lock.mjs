/**
 * Only one command at a time installs the dependencies of a checkout: two concurrent runs of `npm ci` remove
 * each other's files. The lock is a file with the id of its process; a lock that a killed process left is
 * stale.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const CHECK_MS = 100
/**
 * A lock without a readable process id is being written, or was left half-written: after this time it is
 * stale.
 */
const UNREADABLE_MS_MAX = 10_000

/**
 * Runs `work` while no other command of this checkout does, and returns its result. `onWait` is called once
 * with the process that holds the lock (undefined if it is not known yet). `work` must return: if it ends the
 * process, the lock stays.
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
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CHECK_MS)
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

/** The process that has the lock; `nobody`: its process has ended; `gone`: the lock no longer exists. */
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

/** Removes a stale lock; if another command has just replaced it, restores that command's lock. */
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

/**
 * Start time of a process in the system's own format, because process ids are reused. Undefined if the system
 * does not provide it.
 */
function startOf(pid) {
  try {
    // The second field is the program's name, in parentheses; the 22nd is the start, in ticks since boot.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[19]
  } catch {
    if (process.platform === 'win32') return undefined
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim()
  }
}
