/**
 * The priority of a line for systemd's journal: `<3>` before it, as specified in sd-daemon(3); the journal
 * removes it. Without it all output of a service has the same priority, and `journalctl -p warning` finds
 * nothing.
 */
import { fstatSync } from 'node:fs'

const STANDARD_ERROR = 2

/** The priorities of syslog for the levels of the log. */
export const PRIORITIES = { critical: 2, error: 3, warning: 4, information: 6, debug: 7 } as const

/**
 * Whether standard error is connected to the journal. systemd sets a variable if it is; a child with another
 * standard error must not rely on it.
 */
export function isJournalStream(journalStream: string | undefined): boolean {
  if (!journalStream) return false
  try {
    const { dev, ino } = fstatSync(STANDARD_ERROR, { bigint: true })
    return journalStream === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** The priority of a log line, by its level: 20 debug, 30 info, 40 warning, 50 error, 60 fatal. */
export function priorityOf(level: number): number {
  if (level >= 60) return PRIORITIES.critical
  if (level >= 50) return PRIORITIES.error
  if (level >= 40) return PRIORITIES.warning
  return level >= 30 ? PRIORITIES.information : PRIORITIES.debug
}

/** Puts the priority before each line of a text. */
export function prefixed(priority: number, text: string): string {
  return text.replaceAll(/^/gm, `<${priority}>`)
}
