/**
 * `npm run sim -- <seed>`: one run.
 */
import { run } from './simulation.ts'

const seed = Number(Bun.argv[2] ?? 1)
const commands = Number(Bun.argv[3] ?? 1000)
const t = performance.now()
const result = run({ seed, commands })
console.log(
  result.violation?.message,
  result.seed,
  result.commands,
  result.steps,
  result.simulatedMs,
  result.digest,
  performance.now() - t,
)
if (result.violation) console.log(result.trace.join('\n'))
else
  console.log(
    result.coverage
      .entries()
      .map(([a, b]) => `${a}: ${b}`)
      .join('\n'),
  )
