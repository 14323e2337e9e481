import { expect, test } from 'bun:test'
import { writeOrder } from './control.ts'

test('a message to a process that has just ended, or that ends before reading it, is lost, and nothing else is', async () => {
  const rejections: unknown[] = []
  const note = (cause: unknown): unknown => rejections.push(cause)
  process.on('unhandledRejection', note)
  try {
    const ended = Bun.spawn(['true'], { stdin: 'pipe' })
    // The exit of the process is not reported before this turn of the event loop ends.
    Bun.sleepSync(200)
    expect(ended.exitCode).toBeNull()
    writeOrder(ended.stdin, { kind: 'serve' })
    const deaf = Bun.spawn(['sleep', '60'], { stdin: 'pipe' })
    // More than fits into a pipe.
    writeOrder(deaf.stdin, { kind: 'masterKey', newest: 'x'.repeat(300_000) })
    writeOrder(deaf.stdin, { kind: 'stop' })
    deaf.kill('SIGKILL')
    await Promise.all([ended.exited, deaf.exited])
    await Bun.sleep(50)
    expect(rejections).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
