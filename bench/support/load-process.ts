/** The load generator in a separate process: runs the plans of its parent one after another. */
import type { LoadOrder, LoadReport } from './load.ts'
import { LoadGenerator } from './load-generator.ts'
import { SocketLoadGenerator } from './socket-load-generator.ts'

process.on('message', ({ plan }: LoadOrder) => {
  const { underWay } = plan
  const generator = underWay === undefined ? new LoadGenerator(plan) : new SocketLoadGenerator(plan, underWay)
  generator.run().then(
    (load) => report({ load }),
    (cause: unknown) => report({ problem: String(cause) }),
  )
})

function report(message: LoadReport): void {
  process.send?.(message)
}
