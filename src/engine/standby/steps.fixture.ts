/** A move that can end at each of its steps, as a killed process does. */

/** The process has ended. */
export class EndedError extends Error {
  override readonly name = 'EndedError'
}

/**
 * The calls to a move's source and target. Calls that read batches are left out, since their number depends
 * on the length of the journal.
 */
const STEPS = ['append', 'begin', 'write', 'settle', 'finish', 'quarantined', 'requireFree'] as const

/** `port`, with `step` called before and after each of its calls. */
export function stepped<Port extends object>(port: Port, step: (name: string) => void): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const call = value.bind(target)
      if (!(STEPS as readonly unknown[]).includes(name)) return call
      return async (...args: unknown[]) => {
        step(`before ${String(name)}`)
        const result = await call(...args)
        step(`after ${String(name)}`)
        return result
      }
    },
  })
}

/**
 * Counts steps; ends the process at step number `endAt`, by throwing at that step and at everything that the
 * process does afterwards.
 */
export function endingAt(endAt: number): { readonly step: () => void; readonly count: () => number } {
  let steps = 0
  return {
    step: () => {
      if (++steps >= endAt) throw new EndedError(`at step ${steps}`)
    },
    count: () => steps,
  }
}
