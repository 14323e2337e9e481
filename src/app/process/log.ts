/** The log of a process: one JSON object a line on standard error, written before the call returns. */
import { destination, type Logger as PinoLogger, pino } from 'pino'
import type { LogLevel } from '../settings/settings.ts'

const STANDARD_ERROR = 2

/** Secrets never get here; what looks like one by its name is struck out all the same. */
const NAMES = ['secret', 'token', 'masterKey', 'masterKeyPrevious']
const REDACTED = [...NAMES, ...NAMES.map((name) => `*.${name}`)]

export function openLog(level: LogLevel): PinoLogger {
  const options = {
    level,
    base: { pid: process.pid },
    redact: REDACTED,
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return pino(options, destination({ dest: STANDARD_ERROR, sync: true }))
}
