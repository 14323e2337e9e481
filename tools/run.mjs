/**
 * Runs a TypeScript program of this checkout on the pinned Bun:
 * `node tools/run.mjs bench/main.ts [arguments]`. Sets the checkout up if needed and exits with the program's
 * exit code.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ensureClientTypes } from './lib/client-types.mjs'
import { bunBinary, ensureInstalled, ROOT } from './lib/setup.mjs'

ensureInstalled()
ensureClientTypes()

const child = spawn(bunBinary(), ['--no-env-file', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
