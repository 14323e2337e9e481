/**
 * A series of backups in one directory, each named after the time at which it was begun. The newest few are
 * kept; a timer creates them. Only directories with such a name are ever removed.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../../cli/arguments.ts'
import { BACKUP_FILE } from './backup-manifest.ts'

export const KEEP_DEFAULT = 7
const KEEP_MAX = 10_000

const NAME = /^bourse-\d{8}T\d{6}Z$/

/** `bourse-20260131T235959Z` in `into`, which is created if absent. */
export function nextInSeries(into: string, nowMs: number): string {
  mkdirSync(into, { recursive: true, mode: 0o700 })
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  return path.join(into, `bourse-${time}`)
}

/** Throws `UsageError` unless it is a whole number of at least 1. */
export function keepOf(text: string | true | undefined): number {
  if (text === undefined) return KEEP_DEFAULT
  const keep = /^\d{1,5}$/.test(String(text)) ? Number(text) : 0
  if (keep >= 1 && keep <= KEEP_MAX) return keep
  throw new UsageError(`--keep needs a whole number from 1 to ${KEEP_MAX}, found ${text}`)
}

/**
 * Removes all but the newest `keep` finished backups, and unfinished ones that are older than the newest.
 * Must be called after a backup has been written and verified. Returns the names of the removed ones.
 */
export function pruneSeries(into: string, keep: number): readonly string[] {
  const names = readdirSync(into)
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
  const isFinished = (name: string): boolean => existsSync(path.join(into, name, BACKUP_FILE))
  const kept = new Set(names.filter(isFinished).slice(0, keep))
  const newest = names.find(isFinished) ?? ''
  const removed = names.filter((name) => !kept.has(name) && name < newest)
  for (const name of removed) rmSync(path.join(into, name), { recursive: true })
  return removed
}
