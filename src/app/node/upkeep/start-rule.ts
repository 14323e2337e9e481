/**
 * The archive rule of a running node: `bourse archive` as a process of this program. Loaded only if the
 * settings request it.
 */
import type { Logger } from '../../../server/common/logger.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import { ownProgram, plainEnvironment } from '../../process/own-program.ts'
import type { Settings } from '../../settings/defaults.ts'
import { ArchiveRule, type ArchiveRun } from './archive-rule.ts'

/** Starts to wait for the time of day; `keepDays`: commands of this number of days are kept. */
export function startArchiveRule(settings: Settings, keepDays: number, log: Logger): ArchiveRule {
  const { archive, dataDirectory } = settings
  return new ArchiveRule({
    settings: { ...archive, keepDays },
    dataDirectory,
    start: runProgram,
    scheduler: runtimeScheduler,
    nowMs: () => Date.now(),
    log,
  })
}

/** This program again; its environment has no settings, and so no secrets. */
export function runProgram(line: readonly string[]): ArchiveRun {
  const child = Bun.spawn([...ownProgram(), ...line], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: plainEnvironment(),
  })
  const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const ended = Promise.all([child.exited, texts]).then(([code, [out, err]]) => ({ code, out, err }))
  return { ended, stop: () => child.kill('SIGTERM') }
}
