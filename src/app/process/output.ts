/**
 * Output of the program's commands. All text from other sources reaches a terminal only through this module,
 * with control characters escaped (`src/units/printable.ts`). Data is written before the call returns: the
 * runtime's own stream would buffer what a pipe does not accept at once, and lose it when the process ends.
 */
import { writeSync } from 'node:fs'
import { printableLines } from '../../units/printable.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
/** Pause before a full non-blocking pipe is tried again. */
const RETRY_MS = 1

const napping = new Int32Array(new SharedArrayBuffer(4))

/** If the reader has closed the pipe, as `head` does, a program that only prints ends. */
export function printOrEnd(text: string): void {
  if (!writeAll(STANDARD_OUTPUT, printableLines(`${text}\n`))) process.exit(0)
}

/** For programs that do more than print: a closed pipe does not end them. */
export function print(text: string): void {
  writeAll(STANDARD_OUTPUT, printableLines(`${text}\n`))
}

export function printError(text: string): void {
  writeAll(STANDARD_ERROR, printableLines(`${text}\n`))
}

/** Lines on standard output, without a line feed after them. */
export function printPiece(text: string): void {
  writeAll(STANDARD_OUTPUT, printableLines(text))
}

/** Terminal control sequences on standard output, and text that is already printable. */
export function drawOnOutput(text: string): void {
  writeAll(STANDARD_OUTPUT, text)
}

/** Like `drawOnOutput`, on standard error. */
export function drawOnError(text: string): void {
  writeAll(STANDARD_ERROR, text)
}

/** False when the pipe is closed. */
function writeAll(fd: number, text: string): boolean {
  const bytes = new TextEncoder().encode(text)
  let done = 0
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return false
      if (code !== 'EAGAIN') throw error
      Atomics.wait(napping, 0, 0, RETRY_MS)
    }
  }
  return true
}
