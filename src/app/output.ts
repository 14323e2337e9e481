/**
 * What the program's commands print. Written before the call returns: the runtime's own stream would keep what a pipe
 * does not take at once in memory, and lose it when the process ends.
 */
import { writeSync } from 'node:fs'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
/** How long a full pipe that does not block is left alone before it is tried again. */
const RETRY_MS = 1

const napping = new Int32Array(new SharedArrayBuffer(4))

export function print(text: string): void {
  writeAll(STANDARD_OUTPUT, `${text}\n`)
}

export function printError(text: string): void {
  writeAll(STANDARD_ERROR, `${text}\n`)
}

/** Raw text on standard error, for a terminal. */
export function writeError(text: string): void {
  writeAll(STANDARD_ERROR, text)
}

function writeAll(fd: number, text: string): void {
  const bytes = new TextEncoder().encode(text)
  let done = 0
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Whoever read it has had enough, as `head` does.
      if (code === 'EPIPE') process.exit(0)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(napping, 0, 0, RETRY_MS)
    }
  }
}
