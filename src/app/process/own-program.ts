/** This program, to be started again as a process of its own. */
import path from 'node:path'
import { EMBEDDED } from '../embedded.ts'

/** Its command line up to its arguments. */
export function ownProgram(): readonly string[] {
  if (EMBEDDED !== undefined) return [process.execPath]
  return [process.execPath, ...process.execArgv, path.resolve(import.meta.dir, '../main.ts')]
}

/** The environment for a process of its own: it has no settings, and so no secrets. */
export function plainEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('BOURSE_'))
  return { ...Object.fromEntries(kept), ...more } as Record<string, string>
}
