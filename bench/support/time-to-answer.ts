/** The time that a real node takes to start on a data directory. */
import { ServerProcess } from './server-process.ts'

/** From the start of the process to the answer that lists the symbols. The node is then stopped properly. */
export async function timeToAnswer(directory: string): Promise<number> {
  const startedAt = performance.now()
  const node = await ServerProcess.start(
    'src/app/main.ts',
    ['serve', '--port', '0', '--data', directory, '--log-level', 'error'],
    [],
  )
  try {
    const answer = await fetch(`${node.url}/api/v3/exchangeInfo`)
    if (!answer.ok) throw new Error(`expected an answer, found ${answer.status}: ${await answer.text()}`)
    await answer.text()
    return performance.now() - startedAt
  } finally {
    await node.stop()
  }
}
