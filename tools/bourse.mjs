#!/usr/bin/env node
/**
 * Starts Bourse from a checkout: sets the checkout up where needed, then runs src/app/main.ts on the pinned Bun
 * with the same terminal, working directory and arguments, and ends with its exit code.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { bunBinary, ensureInstalled, ROOT } from './lib/setup.mjs'

/** npm and the terminal may both send the signal of one key press; what comes this soon after is that echo. */
const ECHO_MS = 500
/** How often it is looked whether npm's shell is still there. */
const PARENT_CHECK_MS = 250
/** Not SIGHUP: a node that was started with nohup is to be left alone. */
const FORWARDED = ['SIGINT', 'SIGTERM']

ensureInstalled({ withDevelopment: false })

// A working directory's .env or bunfig.toml must not change how an exchange runs. Bun ends with this process.
const bunOptions = ['--no-env-file', `--config=${path.join(ROOT, 'bunfig.toml')}`, '--no-orphans']
const main = path.join(ROOT, 'src', 'app', 'main.ts')
const child = spawn(bunBinary(), [...bunOptions, main, ...process.argv.slice(2)], { stdio: 'inherit' })

let forwardedAtMs = Number.NEGATIVE_INFINITY
function forward(signal) {
  const nowMs = performance.now()
  if (nowMs - forwardedAtMs < ECHO_MS) return
  forwardedAtMs = nowMs
  child.kill(signal)
}
for (const signal of FORWARDED) process.on(signal, () => forward(signal))

// npm signals only the shell that it runs a command in, which ends without a word to us: an orphan must stop too.
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
