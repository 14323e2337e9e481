/** The log of a process: one JSON object a line on standard error, written before the call returns. */
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino'
import { printableLines } from '../../units/printable.ts'
import type { LogLevel } from '../settings/defaults.ts'
import { priorityOf } from './journal-priority.ts'

const STANDARD_ERROR = 2

/** Secrets never get here; what looks like one by its name is struck out all the same. */
const NAMES = ['secret', 'token', 'masterKey', 'masterKeyPrevious']
const REDACTED = [...NAMES, ...NAMES.map((name) => `*.${name}`)]

/** `isJournal`: each line has its priority for systemd's journal before it. */
export function openLog(level: LogLevel, isJournal: boolean): PinoLogger {
  const options = {
    level,
    base: { pid: process.pid },
    redact: REDACTED,
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return pino(options, linesOn(destination({ dest: STANDARD_ERROR, sync: true }), isJournal))
}

/** pino tells a stream that asks for it the level of the line that it is about to write. It escapes no more than JSON has to be. */
export function linesOn(out: Pick<DestinationStream, 'write'>, isJournal: boolean): DestinationStream {
  const stream = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write: (line: string): void => {
      const text = printableLines(line)
      out.write(isJournal ? `<${priorityOf(stream.lastLevel)}>${text}` : text)
    },
  }
  return stream
}
