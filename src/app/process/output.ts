/**
 * What the program's commands print, all of it: text of others reaches no terminal but through here, with what a terminal obeys as
 * escapes (`src/units/printable.ts`). Written before the call returns: the runtime's own stream would keep what a pipe
 * does not take at once in memory, and lose it when the process ends.
 */
import { writeSync } from 'node:fs'
import { printableLines } from '../../units/printable.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
/** How long a full pipe that does not block is left alone before it is tried again. */
const RETRY_MS = 1

const napping = new Int32Array(new SharedArrayBuffer(4))

/** Whoever does not read any more, as `head` does after a while, has had enough: a program that only prints ends. */
export function printOrEnd(text: string): void {
  if (!writeAll(STANDARD_OUTPUT, printableLines(`${text}\n`))) process.exit(0)
}

/** For programs that do more than print: nobody reading is no reason to end. */
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

/** What a terminal is to obey, on standard output, and text that is printable already. */
export function drawOnOutput(text: string): void {
  writeAll(STANDARD_OUTPUT, text)
}

/** The same on standard error. */
export function drawOnError(text: string): void {
  writeAll(STANDARD_ERROR, text)
}

/** False when nobody reads any more. */
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
