/**
 * `npm run check`: types (the compiler, ring by ring), lint and format (Biome), and the rules of the rings
 * that neither of them checks. Sets the checkout up first. All steps run even if one fails, so that one run
 * shows every problem.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensureClientTypes } from './lib/client-types.mjs'
import { endWith, readProgram } from './lib/program.mjs'
import { ensureInstalled, ROOT } from './lib/setup.mjs'

const modules = path.join(ROOT, 'node_modules')
const STEPS = [
  { name: 'types', args: [path.join(modules, 'typescript', 'bin', 'tsc'), '-b'] },
  {
    name: 'lint and format',
    args: [
      path.join(modules, '@biomejs', 'biome', 'bin', 'biome'),
      'ci',
      '--error-on-warnings',
      `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
      '.',
    ],
  },
  { name: 'rings', args: [path.join(ROOT, 'tools', 'rings.mjs')] },
]

/** Runs one step; resolves with its output, its exit code and its duration. */
function run(step) {
  const started = performance.now()
  const child = spawn(process.execPath, step.args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ step, output: String(error), code: 1, tookMs: 0 }))
    child.on('close', (code) => {
      resolve({ step, output, code: code ?? 1, tookMs: performance.now() - started })
    })
  })
}

readProgram({
  command: 'npm run check --',
  about: 'Checks types ring by ring, lint and format, and the rules of the rings. Every commit must pass.',
})
ensureInstalled()
ensureClientTypes()
const results = await Promise.all(STEPS.map(run))
const failures = results.filter(({ code }) => code !== 0)
for (const { output } of failures) process.stdout.write(`${output.trimEnd()}\n\n`)
for (const { step, code, tookMs } of results) {
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name} (${(tookMs / 1000).toFixed(1)} s)\n`)
}
endWith(failures.length === 0 ? 0 : 1)
