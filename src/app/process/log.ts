/** The log of a process: one JSON object per line on standard error, written before the call returns. */
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino'
import { printableLines } from '../../units/printable.ts'
import type { LogLevel } from '../settings/defaults.ts'
import { priorityOf } from './journal-priority.ts'

const STANDARD_ERROR = 2

/** Secrets are never logged; a field with the name of a secret is redacted nevertheless. */
const NAMES = ['secret', 'token', 'masterKey', 'masterKeyPrevious']
const REDACTED = [...NAMES, ...NAMES.map((name) => `*.${name}`)]

/**
 * `isJournal`: each line starts with its priority for systemd's journal. `opening`: fields of a line before
 * the first one, so that a start that is refused at once logs only the refusal.
 */
export function openLog(level: LogLevel, isJournal: boolean, opening?: object): PinoLogger {
  const options = {
    level,
    base: { pid: process.pid },
    redact: REDACTED,
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  const log: PinoLogger = pino(
    options,
    linesOn(destination({ dest: STANDARD_ERROR, sync: true }), isJournal, () => {
      if (opening !== undefined) log.info(opening, 'bourse starts')
    }),
  )
  return log
}

/**
 * pino passes the level of the next line to a stream that requests it. It escapes only the characters that
 * JSON requires. `beforeFirst` is called once, before the first line, and may write one.
 */
export function linesOn(
  out: Pick<DestinationStream, 'write'>,
  isJournal: boolean,
  beforeFirst?: () => void,
): DestinationStream {
  let isFirst = true
  const stream = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write: (line: string): void => {
      const level = stream.lastLevel
      if (isFirst) {
        isFirst = false
        beforeFirst?.()
      }
      const text = printableLines(line)
      out.write(isJournal ? `<${priorityOf(level)}>${text}` : text)
    },
  }
  return stream
}
