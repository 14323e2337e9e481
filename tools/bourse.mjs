#!/usr/bin/env node
/**
 * Starts Bourse from a checkout: sets the checkout up if needed, then runs src/app/main.ts on the pinned Bun
 * with the same terminal, working directory and arguments, and exits with its exit code.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { bunBinary, ensureInstalled, ROOT } from './lib/setup.mjs'

/**
 * npm and the terminal may both send the signal for one key press; a second signal within this time is that
 * duplicate.
 */
const ECHO_MS = 500
/** Interval between checks that npm's shell is still running. */
const PARENT_CHECK_MS = 250
/** Not SIGHUP: a node that was started with nohup must keep running. */
const FORWARDED = ['SIGINT', 'SIGTERM']

ensureInstalled({ withDevelopment: false })

// A .env or bunfig.toml in the working directory must not change how an exchange runs. Bun ends with this
// process.
const bunOptions = ['--no-env-file', `--config=${path.join(ROOT, 'bunfig.toml')}`, '--no-orphans']
const main = path.join(ROOT, 'src', 'app', 'main.ts')
// Before the program starts: it may be ready, and its operator may press Ctrl-C, before this process
// continues.
for (const signal of FORWARDED) process.on(signal, () => forward(signal))
let forwardedAtMs = Number.NEGATIVE_INFINITY
const child = spawn(bunBinary(), [...bunOptions, main, ...process.argv.slice(2)], { stdio: 'inherit' })

function forward(signal) {
  const nowMs = performance.now()
  if (nowMs - forwardedAtMs < ECHO_MS) return
  forwardedAtMs = nowMs
  child.kill(signal)
}

// npm sends signals only to the shell in which it runs a command. That shell exits without notifying this
// process, so an orphan must stop too.
if (process.env.npm_command !== undefined) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    forward('SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

child.on('error', (error) => {
  process.stderr.write(`bourse: Bun could not be started: ${error.message}\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal])
})
